-- The current and ended edges that go out from some entities.
-- Parameters: :history, :entities (JSON array of numbers)
-- Returns: subject (number), relation, object (number), object_key, is_member, position, ordinal,
--   retracts, subject_text, object_text
SELECT
    said.subject, relation.name, said.object, object.key, said.member <> 0 AS is_member,
    said.position, said.ordinal, said.retracts, said.subject_text, said.object_text
FROM json_each(:entities) AS reached
CROSS JOIN slot ON slot.subject = reached.value
CROSS JOIN relation ON relation.id = slot.relation
CROSS JOIN assertion AS said ON said.history = :history AND said.position = slot.position AND said.ordinal = slot.ordinal
CROSS JOIN entity AS object ON object.id = said.object
