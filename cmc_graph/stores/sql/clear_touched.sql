-- Forgets the touched slots of this transaction.
-- Parameters: none
-- Returns: nothing
DELETE FROM touched
