-- The counters of a history beside what they ought to be.
-- Parameters: :history
-- Returns: records, next_position, longest_key as they ought to be, then as they are
SELECT
    counting.records, counting.next_position, counting.longest_key,
    history.records, history.next_position, history.longest_key
FROM history
CROSS JOIN counting ON counting.id = history.id
WHERE history.id = :history
