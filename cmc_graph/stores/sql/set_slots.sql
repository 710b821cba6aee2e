-- Writes the last words of the resolved slots, where they differ.
-- Parameters: none
-- Returns: nothing
INSERT INTO slot (subject, relation, member, position, ordinal)
SELECT subject, relation, member, position, ordinal
FROM resolved
WHERE superseded_at IS NULL
ON CONFLICT DO UPDATE
SET position = excluded.position, ordinal = excluded.ordinal
WHERE (slot.position, slot.ordinal) IS NOT (excluded.position, excluded.ordinal)
