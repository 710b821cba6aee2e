-- The history of that name.
-- Parameters: :name
-- Returns: id, version, records, next_position, longest_key, name
SELECT id, version, records, next_position, longest_key, name
FROM history
WHERE name = :name
