-- Writes a source.
-- Parameters: :name
-- Returns: id
INSERT INTO source (name)
VALUES (:name)
RETURNING id
