-- All records, ascending.
-- Parameters: :history
-- Returns: the columns of stored_record after history
SELECT position, text, status, reason, source, source_line, observed_at, speaker, session
FROM stored_record
WHERE history = :history
ORDER BY position
