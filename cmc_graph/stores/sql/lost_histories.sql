-- Histories whose name is lost: how many records each of them has, the name it may be given, and a
-- statement that does it, for a person to run. Of several, nothing proves which one had that name.
-- Parameters: :name (of the only one; null where that is taken)
-- Returns: records, name, by_hand
SELECT
    records, named AS name,
    format('INSERT INTO history (id, name) VALUES (%d, %Q)', history, named) AS by_hand
FROM (
    SELECT
        history, sum(records) AS records,
        coalesce(iif(count(*) OVER () = 1, :name, NULL), format('recovered %d', history)) AS named
    FROM (
        SELECT history, count(*) AS records FROM record GROUP BY history
        UNION ALL
        SELECT DISTINCT history, 0 FROM assertion
        UNION ALL
        SELECT DISTINCT history, 0 FROM entity
    )
    WHERE history NOT IN (SELECT id FROM history)
    GROUP BY history
)
ORDER BY history
