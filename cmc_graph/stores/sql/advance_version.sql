-- Lets the version of a history grow by one, since something changed.
-- Parameters: :history
-- Returns: nothing
UPDATE history
SET version = version + 1
WHERE id = :history
