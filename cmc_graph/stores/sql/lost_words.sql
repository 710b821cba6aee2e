-- The slots whose last word is lost, as the projection or the ends of older versions remember it: no
-- assertion is where the slot says, or every version of the slot ends and nothing of the subject and
-- relation, in whatever slot, is at its last end; or an end is where a record is that says nothing of
-- subject and relation.
-- Parameters: :history
-- Returns: slot (readable), position (of the last word), has_record
WITH word AS (
    SELECT slot.subject, slot.relation, slot.position
    FROM entity
    CROSS JOIN slot ON slot.subject = entity.id
    WHERE entity.history = :history AND NOT EXISTS (
        SELECT 1
        FROM assertion
        WHERE
            assertion.history = :history
            AND assertion.position = slot.position
            AND assertion.ordinal = slot.ordinal
    )
    UNION
    SELECT subject, relation, last_end
    FROM (
        SELECT
            assertion.subject, assertion.relation,
            max(assertion.superseded_at) AS last_end
        FROM entity
        CROSS JOIN assertion ON assertion.subject = entity.id
        WHERE entity.history = :history
        GROUP BY assertion.subject, assertion.relation, assertion.member
        HAVING count(*) = count(assertion.superseded_at) AND last_end > max(assertion.position)
    ) AS ended
    WHERE NOT EXISTS (
        SELECT 1
        FROM assertion
        WHERE
            assertion.history = :history
            AND assertion.position = ended.last_end
            AND assertion.subject = ended.subject
            AND assertion.relation = ended.relation
    )
    UNION
    SELECT said.subject, said.relation, said.superseded_at
    FROM entity
    CROSS JOIN assertion AS said ON said.subject = entity.id
    WHERE
        entity.history = :history
        AND said.superseded_at > said.position
        AND EXISTS (
            SELECT 1
            FROM record
            WHERE record.history = :history AND record.position = said.superseded_at
        )
        AND NOT EXISTS (
            SELECT 1
            FROM assertion
            WHERE
                assertion.history = :history
                AND assertion.position = said.superseded_at
                AND assertion.subject = said.subject
                AND assertion.relation = said.relation
        )
)

SELECT
    entity.key || ' / ' || relation.name AS slot, word.position,
    EXISTS (SELECT 1 FROM record WHERE record.history = :history AND record.position = word.position)
FROM word
CROSS JOIN entity ON entity.id = word.subject
CROSS JOIN relation ON relation.id = word.relation
ORDER BY word.position, slot
