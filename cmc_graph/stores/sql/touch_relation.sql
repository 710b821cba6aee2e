-- Notes all slots of a relation, as its assertions have them now, to be resolved as a whole.
-- Parameters: :history, :relation
-- Returns: nothing
INSERT OR REPLACE INTO touched (subject, relation, member, position, ordinal)
SELECT DISTINCT subject, relation, member, -1, -1
FROM assertion
WHERE history = :history AND relation = :relation
