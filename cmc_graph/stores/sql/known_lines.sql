-- What came from these lines of a source; of several records of one line the oldest comes last.
-- Parameters: :history, :source, :lines (JSON array)
-- Returns: source_line, position, text
SELECT record.source_line, record.position, record.text
FROM source
CROSS JOIN json_each(:lines) AS wanted
CROSS JOIN record INDEXED BY record_line
    ON record.source = source.id
    AND record.source_line = wanted.value
    AND record.history = :history
WHERE source.name = :source
ORDER BY record.position DESC
