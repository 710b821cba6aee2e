-- The records at these positions.
-- Parameters: :history, :positions (JSON array)
-- Returns: the columns of stored_record after history
SELECT
    stored_record.position, text, status, reason, source, source_line, observed_at, speaker, session
FROM json_each(:positions) AS wanted
CROSS JOIN stored_record
    ON stored_record.history = :history AND stored_record.position = wanted.value
