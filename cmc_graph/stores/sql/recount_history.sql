-- Derives the counters of a history anew where they differ.
-- Parameters: :history
-- Returns: nothing
UPDATE history
SET (records, next_position, longest_key) = (counting.records, counting.next_position, counting.longest_key)
FROM counting
WHERE
    history.id = :history
    AND counting.id = :history
    AND (history.records, history.next_position, history.longest_key)
    IS NOT (counting.records, counting.next_position, counting.longest_key)
