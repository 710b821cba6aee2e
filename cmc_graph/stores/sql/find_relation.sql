-- The relation of that name.
-- Parameters: :history, :name
-- Returns: id, values, set_by
SELECT id, "values", set_by
FROM relation
WHERE history = :history AND name = :name
