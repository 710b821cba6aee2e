-- Writes the mentioned entities; an earlier mention than the known one gives the name.
-- Parameters: :history
-- Returns: nothing
INSERT INTO entity (history, key, name, name_position)
SELECT :history, key, surface, position
FROM mentioned
WHERE true
ON CONFLICT (history, key) DO UPDATE
SET name = excluded.name, name_position = excluded.name_position
WHERE excluded.name_position < entity.name_position
