-- Goes on to count the records that a history lost before, where fewer are there than ought to be: the
-- count is all that tells of them.
-- Parameters: :history, :records (how many there ought to be), :next_position
-- Returns: nothing
UPDATE history
SET records = :records, next_position = :next_position
WHERE id = :history AND records < :records
