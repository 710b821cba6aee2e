-- The numbers of all entities of a history.
-- Parameters: :history
-- Returns: id
SELECT id
FROM entity
WHERE history = :history
