-- What stands at these positions.
-- Parameters: :history, :positions (JSON array)
-- Returns: position, text
SELECT record.position, record.text
FROM json_each(:positions) AS wanted
CROSS JOIN record ON record.history = :history AND record.position = wanted.value
