-- Writes an empty history.
-- Parameters: :name
-- Returns: id, version, records, next_position, longest_key, name
INSERT INTO history (name)
VALUES (:name)
RETURNING id, version, records, next_position, longest_key, name
