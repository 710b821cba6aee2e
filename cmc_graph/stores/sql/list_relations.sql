-- The relations of a history, by name, with how many slots each has.
-- Parameters: :history
-- Returns: name, values, set_by, slots, merged_into (name; empty where that one is lost)
WITH held AS (
    SELECT slot.relation, count(*) AS slots
    FROM entity
    CROSS JOIN slot ON slot.subject = entity.id
    WHERE entity.history = :history
    GROUP BY slot.relation
)

SELECT
    relation.name, relation."values", relation.set_by, coalesce(held.slots, 0) AS slots,
    iif(relation.merged_into IS NULL, NULL, coalesce(root.name, '')) AS merged_into
FROM relation
LEFT JOIN relation AS root ON root.id = relation.merged_into
LEFT JOIN held ON held.relation = relation.id
WHERE relation.history = :history
ORDER BY relation.name
