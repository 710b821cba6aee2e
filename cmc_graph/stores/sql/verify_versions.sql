-- The assertions about some entities slot by slot, each slot's versions ascending, beside what the
-- projection says.
-- Parameters: :entities (JSON array of numbers)
-- Returns: subject (key), relation, object (key), member (number), expected_member (number),
--   position, ordinal, superseded_at, slot_position, slot_ordinal, retracts
SELECT
    subject.key, relation.name, object.key, assertion.member,
    iif(relation."values" = 'many', assertion.object, 0),
    assertion.position, assertion.ordinal, assertion.superseded_at,
    slot.position, slot.ordinal, assertion.retracts
FROM json_each(:entities) AS some
CROSS JOIN entity AS subject ON subject.id = some.value
CROSS JOIN assertion ON assertion.subject = subject.id
CROSS JOIN relation ON relation.id = assertion.relation
CROSS JOIN entity AS object ON object.id = assertion.object
LEFT JOIN slot
    ON slot.subject = assertion.subject
    AND slot.relation = assertion.relation
    AND slot.member = assertion.member
ORDER BY
    assertion.subject, assertion.relation, assertion.member, assertion.position, assertion.ordinal
