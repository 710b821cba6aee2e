-- The current and ended edges that go out from some entities; all but the subject is null where a slot
-- has no relation, no assertion, one of another slot or that is replaced, or one without an object.
-- Parameters: :history, :entities (JSON array of numbers)
-- Returns: subject (number), relation, object (number), object_key, is_member, position, ordinal,
--   retracts, subject_text, object_text
SELECT
    slot.subject, relation.name, said.object, object.key, said.member <> 0 AS is_member,
    said.position, said.ordinal, said.retracts, said.subject_text, said.object_text
FROM json_each(:entities) AS reached
CROSS JOIN slot ON slot.subject = reached.value
LEFT JOIN relation ON relation.id = slot.relation
LEFT JOIN assertion AS said
    ON said.history = :history
    AND said.position = slot.position
    AND said.ordinal = slot.ordinal
    AND said.subject = slot.subject
    AND said.relation = slot.relation
    AND said.member = slot.member
    AND said.superseded_at IS NULL
LEFT JOIN entity AS object ON object.id = said.object
