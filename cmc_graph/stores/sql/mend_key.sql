-- Gives an entity the key that its surfaces prove; no other one has it.
-- Parameters: :id, :key
-- Returns: nothing
UPDATE OR IGNORE entity
SET key = :key
WHERE id = :id
