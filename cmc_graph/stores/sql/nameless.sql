-- A history that has records but no row any more. Histories are stepped through, not their records.
-- Parameters: none
-- Returns: history (number)
WITH RECURSIVE held (history) AS (
    SELECT min(history) FROM record
    UNION ALL
    SELECT (SELECT min(record.history) FROM record WHERE record.history > held.history)
    FROM held
    WHERE held.history IS NOT NULL
)

SELECT history
FROM held
WHERE history IS NOT NULL AND history NOT IN (SELECT id FROM history)
LIMIT 1
