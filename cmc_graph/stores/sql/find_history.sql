-- The history of that name.
-- Parameters: :name
-- Returns: id, version, records, next_position, longest_key
SELECT id, version, records, next_position, longest_key
FROM history
WHERE name = :name
