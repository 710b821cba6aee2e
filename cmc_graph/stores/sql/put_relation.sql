-- Writes a relation, or what is said of it now.
-- Parameters: :history, :name, :values, :set_by
-- Returns: id
INSERT INTO relation (history, name, "values", set_by)
VALUES (:history, :name, :values, :set_by)
ON CONFLICT (history, name) DO UPDATE
SET "values" = excluded."values", set_by = excluded.set_by
RETURNING id
