-- Removes those of some entities that no assertion names any more.
-- Parameters: :entities (JSON array of numbers)
-- Returns: nothing
DELETE FROM entity
WHERE
    id IN (SELECT value FROM json_each(:entities))
    AND NOT EXISTS (SELECT 1 FROM assertion WHERE assertion.subject = entity.id)
    AND NOT EXISTS (SELECT 1 FROM assertion WHERE assertion.object = entity.id)
