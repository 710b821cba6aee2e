-- What is not whole of a history: rows that refer to what is not there, positions that are none,
-- verdicts that do not fit what the records assert, relations of another number of values than all
-- their assertions have slots for, or merged beside assertions of their own, and slots of nothing.
-- Where forgetting the record at the position does not help, a statement does that a person may run;
-- where there is neither, the rest proves what it ought to be. The pluses keep SQLite from taking
-- these positions for few, and from going through all of them for every record.
-- Parameters: :history
-- Returns: what, place, detail, position, by_hand
WITH said AS (
    SELECT
        position, ordinal,
        subject IN (SELECT id FROM entity WHERE entity.history = :history) AS has_subject,
        object IN (SELECT id FROM entity WHERE entity.history = :history) AS has_object,
        relation IN (SELECT id FROM relation WHERE relation.history = :history) AS has_relation,
        frontend IN (SELECT id FROM frontend) AS has_frontend
    FROM assertion
    WHERE history = :history AND +position >= 0
),
counted AS (
    SELECT position, count(*) AS assertions, max(ordinal) AS last, min(ordinal) AS first
    FROM assertion
    WHERE history = :history AND +position >= 0
    GROUP BY position
),
slotted AS (
    SELECT relation, min(member = 0) AS is_one, min(member = object) AS is_many
    FROM assertion
    WHERE history = :history
    GROUP BY relation
)
SELECT 'assertion' AS what, format('[%d].%d', position, ordinal) AS place, 'subject' AS detail, position, NULL AS by_hand
FROM said WHERE NOT has_subject
UNION ALL
SELECT 'assertion', format('[%d].%d', position, ordinal), 'object', position, NULL
FROM said WHERE NOT has_object
UNION ALL
SELECT 'assertion', format('[%d].%d', position, ordinal), 'relation', position, NULL
FROM said WHERE NOT has_relation
UNION ALL
SELECT 'assertion', format('[%d].%d', position, ordinal), 'frontend', position, NULL
FROM said WHERE NOT has_frontend
UNION ALL
SELECT 'no-record', format('[%d]', position), 'record', position, NULL
FROM counted
WHERE position NOT IN (SELECT position FROM record WHERE history = :history)
UNION ALL
SELECT
    'verdict', format('[%d]', record.position),
    format('status %s and %d assertions', status, coalesce(assertions, 0)), record.position, NULL
FROM record
LEFT JOIN counted ON counted.position = record.position
WHERE
    record.history = :history AND +record.position >= 0
    AND (status = 'facts') <> (assertions IS NOT NULL)
UNION ALL
SELECT 'no-assertion', format('[%d]', record.position), 'assertion', record.position, NULL
FROM record
JOIN counted ON counted.position = record.position
WHERE record.history = :history AND status = 'facts' AND (first <> 0 OR last <> assertions - 1)
UNION ALL
SELECT 'record', format('[%d]', position), 'source', position, NULL
FROM record
WHERE
    history = :history AND +position >= 0
    AND source IS NOT NULL AND source NOT IN (SELECT id FROM source)
UNION ALL
SELECT
    what, format('[%d]', position), 'position', NULL,
    format(
        'DELETE FROM assertion WHERE history = %d AND position = %d; '
            || 'DELETE FROM record WHERE history = %d AND position = %d',
        :history, position, :history, position
    )
FROM (
    SELECT 'record' AS what, position FROM record WHERE history = :history AND position < 0
    UNION
    SELECT 'assertion', position FROM assertion WHERE history = :history AND position < 0
)
UNION ALL
SELECT
    'relation', name, 'merged_into', NULL,
    format('UPDATE relation SET merged_into = NULL WHERE id = %d', id)
FROM relation
WHERE history = :history AND merged_into IS NOT NULL
    AND (
        id IN (SELECT relation FROM slotted)
        OR merged_into NOT IN (
            SELECT id FROM relation AS root WHERE root.history = :history AND root.merged_into IS NULL
        )
    )
UNION ALL
SELECT 'relation', name, 'values', NULL, NULL
FROM relation
JOIN slotted ON slotted.relation = relation.id
WHERE history = :history AND iif("values" = 'one', is_many, is_one)
UNION ALL
SELECT 'edge', format('[%d].%d', position, ordinal), 'subject', NULL, NULL
FROM slot
WHERE subject NOT IN (SELECT id FROM entity)
UNION ALL
SELECT 'edge', format('[%d].%d', position, ordinal), 'relation', NULL, NULL
FROM slot
WHERE relation NOT IN (SELECT id FROM relation)
    AND subject IN (SELECT id FROM entity WHERE entity.history = :history)
