-- The mentioned entities, in the order in which their mentions were written.
-- Parameters: :history
-- Returns: id
SELECT entity.id
FROM mentioned
CROSS JOIN entity ON entity.history = :history AND entity.key = mentioned.key
ORDER BY mentioned.rowid
