-- Writes a text that stands on many rows.
-- Parameters: :text
-- Returns: id
INSERT INTO label (text)
VALUES (:text)
RETURNING id
