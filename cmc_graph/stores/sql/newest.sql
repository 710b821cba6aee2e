-- The records up to a position, newest first.
-- Parameters: :history, :as_of
-- Returns: how many there are, then the columns of stored_record after history
SELECT
    (SELECT count(*) FROM record WHERE history = :history AND position <= :as_of) AS total,
    position, text, status, reason, source, source_line, observed_at, speaker, session
FROM stored_record
WHERE history = :history AND position <= :as_of
ORDER BY position DESC
