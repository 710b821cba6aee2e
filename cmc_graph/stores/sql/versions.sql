-- The assertions about a subject, oldest first; of one relation or of all.
-- Parameters: :history, :subject (key), :relation (name; NULL: all)
-- Returns: the columns of ledger after the numbers
SELECT
    position, ordinal, subject, relation, object, member, retracts, superseded_at,
    subject_text, object_text, literal, frontend
FROM ledger
WHERE
    subject_id = (SELECT id FROM entity WHERE history = :history AND key = :subject)
    AND relation_id IN (
        SELECT id FROM relation WHERE history = :history AND name = coalesce(:relation, name)
    )
ORDER BY position, ordinal
