-- Moves the counters of a history on after a batch; its version grows by one.
-- Parameters: :history, :records (new ones), :next_position, :longest_key (of the batch)
-- Returns: version
UPDATE history
SET
    version = version + 1,
    records = records + :records,
    next_position = :next_position,
    longest_key = max(longest_key, :longest_key)
WHERE id = :history
RETURNING version
