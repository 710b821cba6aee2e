-- The slots of some entities that no assertion speaks of.
-- Parameters: :entities (JSON array of numbers)
-- Returns: subject (key), relation, position, ordinal
SELECT subject.key, relation.name, slot.position, slot.ordinal
FROM json_each(:entities) AS some
CROSS JOIN entity AS subject ON subject.id = some.value
CROSS JOIN slot ON slot.subject = subject.id
CROSS JOIN relation ON relation.id = slot.relation
WHERE NOT EXISTS (
    SELECT 1
    FROM assertion
    WHERE
        assertion.subject = slot.subject
        AND assertion.relation = slot.relation
        AND assertion.member = slot.member
)
