-- The merged relations of a history, each with the name that counts.
-- Parameters: :history
-- Returns: name, root
SELECT relation.name, root.name AS root
FROM relation
JOIN relation AS root ON root.id = relation.merged_into
WHERE relation.history = :history AND relation.merged_into IS NOT NULL
