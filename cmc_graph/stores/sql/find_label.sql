-- The number of a text that stands on many rows.
-- Parameters: :text
-- Returns: id
SELECT id
FROM label
WHERE text = :text
