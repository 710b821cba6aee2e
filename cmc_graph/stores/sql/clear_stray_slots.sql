-- Deletes the slots whose subject or relation is not there.
-- Parameters: none
-- Returns: nothing
DELETE FROM slot
WHERE subject NOT IN (SELECT id FROM entity) OR relation NOT IN (SELECT id FROM relation)
