-- The number of a frontend.
-- Parameters: :name
-- Returns: id
SELECT id
FROM frontend
WHERE name = :name
