-- The numbers of histories whose name is lost, and how many records each of them has.
-- Parameters: none
-- Returns: id, records
SELECT history, count(*)
FROM record
WHERE history NOT IN (SELECT id FROM history)
GROUP BY history
ORDER BY history
