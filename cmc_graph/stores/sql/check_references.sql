-- The tables with rows that refer to a row that is not there, and how many there are.
-- Parameters: none
-- Returns: table, parent, rows
SELECT "table", parent, count(*) AS "rows"
FROM pragma_foreign_key_check
GROUP BY "table", parent
ORDER BY "table", parent
