-- The number of a source.
-- Parameters: :name
-- Returns: id
SELECT id
FROM source
WHERE name = :name
