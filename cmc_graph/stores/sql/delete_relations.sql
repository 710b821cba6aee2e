-- Removes relations that no assertion has any more.
-- Parameters: :history, :names (JSON array)
-- Returns: nothing
DELETE FROM relation
WHERE history = :history AND name IN (SELECT value FROM json_each(:names))
