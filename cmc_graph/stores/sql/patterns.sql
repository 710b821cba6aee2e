-- The patterns kept with a history, in their order.
-- Parameters: :history
-- Returns: template, relation, support, answers
SELECT template, relation, support, answers
FROM pattern
WHERE history = :history
ORDER BY number
