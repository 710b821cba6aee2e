-- Removes those of some sources that no record comes from any more.
-- Parameters: :sources (JSON array of numbers)
-- Returns: nothing
DELETE FROM source
WHERE
    id IN (SELECT value FROM json_each(:sources))
    AND NOT EXISTS (SELECT 1 FROM record WHERE record.source = source.id)
