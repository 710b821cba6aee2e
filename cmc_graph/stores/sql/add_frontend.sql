-- Writes a frontend.
-- Parameters: :name
-- Returns: id
INSERT INTO frontend (name)
VALUES (:name)
RETURNING id
