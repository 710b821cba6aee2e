-- The names that some entities ought to have, where they have another: an entity is named by its
-- surface at the smallest (position, ordinal), of two in one assertion by that of the subject.
-- Parameters: :entities (JSON array of numbers)
-- Returns: id, key, name, name_position (both NULL when no assertion names it), held_name,
--   held_position
WITH mention AS (
    SELECT
        assertion.subject AS entity, assertion.subject_text AS surface,
        assertion.position, assertion.ordinal, 0 AS is_object
    FROM json_each(:entities) AS some
    CROSS JOIN assertion ON assertion.subject = some.value
    UNION ALL
    SELECT
        assertion.object, assertion.object_text, assertion.position, assertion.ordinal, 1
    FROM json_each(:entities) AS some
    CROSS JOIN assertion ON assertion.object = some.value
),

ordered AS (
    SELECT
        entity, surface, position,
        row_number() OVER (PARTITION BY entity ORDER BY position, ordinal, is_object) AS nth
    FROM mention
)

SELECT
    entity.id, entity.key, ordered.surface, ordered.position, entity.name, entity.name_position
FROM json_each(:entities) AS some
CROSS JOIN entity ON entity.id = some.value
LEFT JOIN ordered ON ordered.entity = entity.id AND ordered.nth = 1
WHERE (ordered.surface, ordered.position) IS NOT (entity.name, entity.name_position)
