-- The relations of a history, by name, with how many slots each has.
-- Parameters: :history
-- Returns: name, values, set_by, slots
WITH held AS (
    SELECT slot.relation, count(*) AS slots
    FROM entity
    CROSS JOIN slot ON slot.subject = entity.id
    WHERE entity.history = :history
    GROUP BY slot.relation
)

SELECT relation.name, relation."values", relation.set_by, coalesce(held.slots, 0) AS slots
FROM relation
LEFT JOIN held ON held.relation = relation.id
WHERE relation.history = :history
ORDER BY relation.name
