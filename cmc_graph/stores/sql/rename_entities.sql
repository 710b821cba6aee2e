-- Derives the names of some entities anew where they differ.
-- Parameters: :entities (JSON array of numbers)
-- Returns: nothing
UPDATE entity
SET (name, name_position) = (naming.name, naming.name_position)
FROM json_each(:entities) AS some
CROSS JOIN naming ON naming.id = some.value
WHERE
    entity.id = some.value
    AND (entity.name, entity.name_position) IS NOT (naming.name, naming.name_position)
