-- The tables, indexes and views of the database, as they were created.
-- Parameters: none
-- Returns: type, name, sql
SELECT type, name, sql
FROM sqlite_schema
WHERE sql IS NOT NULL
ORDER BY rowid
