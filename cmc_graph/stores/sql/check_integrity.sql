-- What SQLite itself finds wrong with the file; one row, "ok", where nothing is.
-- Parameters: none
-- Returns: message
SELECT integrity_check AS message
FROM pragma_integrity_check
LIMIT 100
