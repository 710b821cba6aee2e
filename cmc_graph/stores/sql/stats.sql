-- Counts of one history.
-- Parameters: :history
-- Returns: one row, its columns named as the fields of Stats
WITH held AS (
    SELECT
        slot.subject,
        assertion.retracts,
        EXISTS (
            SELECT 1
            FROM assertion AS other
            WHERE
                other.subject = slot.subject
                AND other.relation = slot.relation
                AND other.member = slot.member
                AND (other.position, other.ordinal) <> (slot.position, slot.ordinal)
        ) AS overwritten
    FROM entity
    CROSS JOIN slot ON slot.subject = entity.id
    CROSS JOIN assertion
        ON assertion.history = :history
        AND assertion.position = slot.position
        AND assertion.ordinal = slot.ordinal
    WHERE entity.history = :history
)

SELECT *, assertions - "current" - ended AS superseded
FROM
    (SELECT version FROM history WHERE id = :history),
    (
        SELECT
            count(*) AS records,
            count(*) FILTER (WHERE status = 'facts') AS facts,
            count(*) FILTER (WHERE status = 'unresolved') AS unresolved,
            count(*) FILTER (WHERE status = 'no_fact') AS no_fact
        FROM record
        WHERE history = :history
    ),
    (SELECT count(*) AS assertions FROM assertion WHERE history = :history),
    (
        SELECT
            count(*) FILTER (WHERE NOT retracts) AS "current",
            count(*) FILTER (WHERE retracts) AS ended,
            count(*) FILTER (WHERE overwritten) AS slots_overwritten,
            count(DISTINCT subject) AS subjects
        FROM held
    ),
    (SELECT count(*) AS entities FROM entity WHERE history = :history)
