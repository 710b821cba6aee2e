-- The unresolved records up to a position, newest first.
-- Parameters: :history, :as_of
-- Returns: how many there are, then the columns of stored_record after history
SELECT
    (
        SELECT count(*) FROM record INDEXED BY record_unresolved
        WHERE history = :history AND position <= :as_of AND status = 'unresolved'
    ) AS total,
    position, text, status, reason, source, source_line, observed_at, speaker, session
FROM stored_record
WHERE history = :history AND position <= :as_of AND status = 'unresolved'
ORDER BY position DESC
