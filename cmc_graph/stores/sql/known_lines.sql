-- What came from these lines of a source; of several records of one line the oldest comes last.
-- Parameters: :history, :source, :lines (JSON array)
-- Returns: source_line, position, text
SELECT record.source_line, record.position, record.text
FROM json_each(:lines) AS wanted
CROSS JOIN record
    ON record.source = (SELECT id FROM label WHERE text = :source)
    AND record.source_line = wanted.value
    AND record.history = :history
ORDER BY record.position DESC
