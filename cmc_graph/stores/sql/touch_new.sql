-- Notes the slots of the new assertions at these positions. Each is to be resolved from its first new
-- assertion on; as a whole, if its last word comes after that.
-- Parameters: :history, :positions (JSON array)
-- Returns: nothing
INSERT INTO touched (subject, relation, member, position, ordinal)
SELECT
    assertion.subject, assertion.relation, assertion.member,
    iif(slot.position IS NULL, assertion.position, -1),
    iif(slot.position IS NULL, assertion.ordinal, -1)
FROM json_each(:positions) AS new
CROSS JOIN assertion ON assertion.history = :history AND assertion.position = new.value
LEFT JOIN slot
    ON slot.subject = assertion.subject
    AND slot.relation = assertion.relation
    AND slot.member = assertion.member
    AND (slot.position, slot.ordinal) > (assertion.position, assertion.ordinal)
WHERE true
ON CONFLICT DO UPDATE
SET position = excluded.position, ordinal = excluded.ordinal
WHERE (excluded.position, excluded.ordinal) < (touched.position, touched.ordinal)
