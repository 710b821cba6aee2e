-- Both ends of every assertion of a history that has a position: how it names them, and the entities that are there.
-- Parameters: :history
-- Returns: position, ordinal, end, surface, key, name, id (of the entity)
SELECT position, ordinal, 'subject' AS "end", subject_text AS surface, key, name, id
FROM assertion
CROSS JOIN entity ON entity.id = assertion.subject
WHERE assertion.history = :history AND position >= 0
UNION ALL
SELECT position, ordinal, 'object', object_text, key, name, id
FROM assertion
CROSS JOIN entity ON entity.id = assertion.object
WHERE assertion.history = :history AND position >= 0
