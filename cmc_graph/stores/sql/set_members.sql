-- Writes the member of assertions by how many values their relation takes, where it differs.
-- Parameters: :history, :relation (number; NULL: all)
-- Returns: nothing
UPDATE assertion
SET member = iif(relation."values" = 'many', assertion.object, 0)
FROM relation
WHERE
    assertion.history = :history
    AND relation.id = assertion.relation
    AND relation.id = coalesce(:relation, relation.id)
    AND assertion.member <> iif(relation."values" = 'many', assertion.object, 0)
