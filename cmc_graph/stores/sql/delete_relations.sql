-- Removes those of some relations that no assertion has any more.
-- Parameters: :history, :names (JSON array)
-- Returns: nothing
DELETE FROM relation
WHERE
    history = :history
    AND name IN (SELECT value FROM json_each(:names))
    AND NOT EXISTS (
        SELECT 1
        FROM assertion
        WHERE assertion.history = :history AND assertion.relation = relation.id
    )
