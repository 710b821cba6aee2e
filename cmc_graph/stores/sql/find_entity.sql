-- The entity with a key.
-- Parameters: :history, :key
-- Returns: id
SELECT id
FROM entity
WHERE history = :history AND key = :key
