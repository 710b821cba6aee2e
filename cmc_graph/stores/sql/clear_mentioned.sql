-- Forgets the mentions of this transaction.
-- Parameters: none
-- Returns: nothing
DELETE FROM mentioned
