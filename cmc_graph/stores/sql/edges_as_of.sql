-- The current and ended edges that went out from some entities after a position. Every slot that was
-- held then is held now, so that its assertion is sought from the position backwards.
-- Parameters: :history, :entities (JSON array of numbers), :as_of
-- Returns: subject (number), relation, object (number), object_key, is_member, position, ordinal,
--   retracts, subject_text, object_text
SELECT
    said.subject, relation.name, said.object, object.key, said.member <> 0 AS is_member,
    said.position, said.ordinal, said.retracts, said.subject_text, said.object_text
FROM json_each(:entities) AS reached
CROSS JOIN slot ON slot.subject = reached.value
CROSS JOIN relation ON relation.id = slot.relation
CROSS JOIN assertion AS said ON said.history = :history AND (said.position, said.ordinal) = (
    SELECT position, ordinal
    FROM assertion
    WHERE
        subject = slot.subject
        AND relation = slot.relation
        AND member = slot.member
        AND position <= :as_of
        AND coalesce(superseded_at, :as_of + 1) > :as_of
    ORDER BY position DESC, ordinal DESC
    LIMIT 1
)
CROSS JOIN entity AS object ON object.id = said.object
