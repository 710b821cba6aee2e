-- The unresolved records up to a position, newest first; only they are looked at.
-- Parameters: :history, :as_of
-- Returns: how many there are, then the columns of stored_record after history
SELECT
    (
        SELECT count(*) FROM record INDEXED BY record_unresolved
        WHERE history = :history AND position <= :as_of AND status = 'unresolved'
    ) AS total,
    stored_record.position, stored_record.text, stored_record.status, stored_record.reason,
    stored_record.source, stored_record.source_line, stored_record.observed_at,
    stored_record.speaker, stored_record.session
FROM record AS listed INDEXED BY record_unresolved
CROSS JOIN stored_record
    ON stored_record.history = :history AND stored_record.position = listed.position
WHERE listed.history = :history AND listed.position <= :as_of AND listed.status = 'unresolved'
ORDER BY listed.position DESC
