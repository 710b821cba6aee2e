-- The slots that no assertion speaks of.
-- Parameters: :history
-- Returns: subject (key), relation, position, ordinal
SELECT entity.key, relation.name, slot.position, slot.ordinal
FROM entity
CROSS JOIN slot ON slot.subject = entity.id
CROSS JOIN relation ON relation.id = slot.relation
WHERE
    entity.history = :history
    AND NOT EXISTS (
        SELECT 1
        FROM assertion
        WHERE
            assertion.subject = slot.subject
            AND assertion.relation = slot.relation
            AND assertion.member = slot.member
    )
