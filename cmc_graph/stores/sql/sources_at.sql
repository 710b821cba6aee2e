-- The sources of the records at these positions.
-- Parameters: :history, :positions (JSON array)
-- Returns: id
SELECT DISTINCT record.source
FROM json_each(:positions) AS gone
CROSS JOIN record ON record.history = :history AND record.position = gone.value
WHERE record.source IS NOT NULL
