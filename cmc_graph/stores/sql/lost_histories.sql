-- Histories whose name is lost: how many records each of them has, the name it may be given, and a
-- statement that does it, for a person to run.
-- Parameters: :name (of the first one; null where that is taken)
-- Returns: records, name, by_hand
SELECT
    records, named AS name,
    format('INSERT INTO history (id, name) VALUES (%d, %Q)', history, named) AS by_hand
FROM (
    SELECT
        history, count(*) AS records,
        coalesce(
            iif(history = min(history) OVER (), :name, NULL), format('recovered %d', history)
        ) AS named
    FROM record
    WHERE history NOT IN (SELECT id FROM history)
    GROUP BY history
)
ORDER BY history
