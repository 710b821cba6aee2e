-- Says that a relation, with all that was merged into it, counts as another one.
-- Parameters: :history, :relation, :root (numbers)
-- Returns: nothing
UPDATE relation
SET merged_into = :root
WHERE history = :history AND (id = :relation OR merged_into = :relation)
