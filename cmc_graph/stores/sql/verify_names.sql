-- The entities whose name is not their first surface.
-- Parameters: :history
-- Returns: key, name and position it ought to have, name and position it has
SELECT entity.key, naming.name, naming.name_position, entity.name, entity.name_position
FROM entity
CROSS JOIN naming ON naming.id = entity.id
WHERE
    entity.history = :history
    AND (entity.name, entity.name_position) IS NOT (naming.name, naming.name_position)
