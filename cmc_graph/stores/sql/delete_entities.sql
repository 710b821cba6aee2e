-- Removes those of some entities that no assertion names any more.
-- Parameters: :entities (JSON array of numbers)
-- Returns: nothing
DELETE FROM entity
WHERE
    id IN (SELECT value FROM json_each(:entities))
    AND NOT EXISTS (SELECT 1 FROM mention WHERE mention.entity = entity.id)
