-- Removes those of some labels that stand on no row any more.
-- Parameters: :labels (JSON array of numbers)
-- Returns: nothing
DELETE FROM label
WHERE
    id IN (SELECT value FROM json_each(:labels))
    AND NOT EXISTS (SELECT 1 FROM record WHERE record.source = label.id)
    AND NOT EXISTS (SELECT 1 FROM assertion WHERE assertion.frontend = label.id)
