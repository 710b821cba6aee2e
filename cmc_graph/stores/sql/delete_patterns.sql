-- Removes all patterns kept with a history.
-- Parameters: :history
-- Returns: nothing
DELETE FROM pattern
WHERE history = :history
