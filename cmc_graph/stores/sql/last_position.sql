-- The greatest position of a history.
-- Parameters: :history
-- Returns: position (null without records)
SELECT max(position)
FROM record
WHERE history = :history
