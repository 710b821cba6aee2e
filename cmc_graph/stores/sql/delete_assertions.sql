-- Removes the assertions of the records at these positions.
-- Parameters: :history, :positions (JSON array)
-- Returns: nothing
DELETE FROM assertion
WHERE history = :history AND position IN (SELECT value FROM json_each(:positions))
