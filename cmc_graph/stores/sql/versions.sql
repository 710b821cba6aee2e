-- The assertions about some subjects, oldest first; of one relation or of all.
-- Parameters: :history, :subjects (JSON list of keys), :relation (name; NULL: all)
-- Returns: the columns of ledger after the numbers
SELECT
    position, ordinal, subject, relation, object, member, retracts, superseded_at,
    subject_text, object_text, literal, frontend
FROM ledger
WHERE
    subject_id IN (
        SELECT id
        FROM entity
        WHERE history = :history AND key IN (SELECT value FROM json_each(:subjects))
    )
    AND relation_id IN (
        SELECT id FROM relation WHERE history = :history AND name = coalesce(:relation, name)
    )
ORDER BY position, ordinal
