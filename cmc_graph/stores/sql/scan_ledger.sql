-- All assertions, ascending.
-- Parameters: :history
-- Returns: the columns of ledger after the numbers
SELECT
    position, ordinal, subject, relation, object, member, retracts, superseded_at,
    subject_text, object_text, literal, frontend
FROM ledger
WHERE history = :history
ORDER BY position, ordinal
