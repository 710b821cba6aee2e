-- Gives the relations of a history the number of values that all their assertions have slots for.
-- Parameters: :history
-- Returns: nothing
UPDATE relation
SET "values" = iif("values" = 'one', 'many', 'one')
FROM (
    SELECT relation AS number, min(member = 0) AS is_one, min(member = object) AS is_many
    FROM assertion
    WHERE history = :history
    GROUP BY relation
) AS said
WHERE
    relation.id = said.number
    AND relation.history = :history
    AND iif(relation."values" = 'one', said.is_many, said.is_one)
