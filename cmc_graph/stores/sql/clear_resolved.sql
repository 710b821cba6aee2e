-- Forgets the resolved versions of this transaction.
-- Parameters: none
-- Returns: nothing
DELETE FROM resolved
