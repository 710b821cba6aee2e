-- Gives an entity another name.
-- Parameters: :id, :name, :name_position
-- Returns: nothing
UPDATE entity
SET name = :name, name_position = :name_position
WHERE id = :id
