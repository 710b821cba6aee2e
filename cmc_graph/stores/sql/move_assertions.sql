-- Gives the assertions of a relation to another one, in the slots of the latter.
-- Parameters: :history, :relation, :root (numbers), :many (1: a slot per object)
-- Returns: nothing
UPDATE assertion
SET relation = :root, member = iif(:many, object, 0)
WHERE history = :history AND relation = :relation
