-- Gives a record another verdict.
-- Parameters: :history, :position, :status, :reason
-- Returns: nothing
UPDATE record
SET status = :status, reason = :reason
WHERE history = :history AND position = :position
