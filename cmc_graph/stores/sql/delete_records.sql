-- Removes the records at these positions, whose assertions are gone.
-- Parameters: :history, :positions (JSON array)
-- Returns: nothing
DELETE FROM record
WHERE history = :history AND position IN (SELECT value FROM json_each(:positions))
