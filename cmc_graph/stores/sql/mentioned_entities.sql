-- The mentioned entities.
-- Parameters: :history
-- Returns: key, id
SELECT entity.key, entity.id
FROM mentioned
CROSS JOIN entity ON entity.history = :history AND entity.key = mentioned.key
