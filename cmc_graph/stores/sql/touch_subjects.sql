-- Notes all slots of some entities, in ledger or projection, to be resolved as a whole.
-- Parameters: :entities (JSON array of numbers)
-- Returns: nothing
INSERT INTO touched (subject, relation, member, position, ordinal)
SELECT assertion.subject, assertion.relation, assertion.member, -1, -1
FROM json_each(:entities) AS some
CROSS JOIN assertion ON assertion.subject = some.value
UNION
SELECT slot.subject, slot.relation, slot.member, -1, -1
FROM json_each(:entities) AS some
CROSS JOIN slot ON slot.subject = some.value
