-- Writes an empty history.
-- Parameters: :name
-- Returns: id, version, records, next_position, longest_key
INSERT INTO history (name)
VALUES (:name)
RETURNING id, version, records, next_position, longest_key
