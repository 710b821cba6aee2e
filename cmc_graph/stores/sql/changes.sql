-- The assertions after one position up to another, and what held before in their slots.
-- Parameters: :history, :after, :upto
-- Returns: the columns of ledger after the numbers
WITH touched AS (
    SELECT DISTINCT subject, relation, member
    FROM assertion
    WHERE history = :history AND position > :after AND position <= :upto
),

places AS (
    SELECT position, ordinal
    FROM assertion
    WHERE history = :history AND position > :after AND position <= :upto
    UNION ALL
    SELECT held.position, held.ordinal
    FROM touched
    CROSS JOIN assertion AS held
        ON held.subject = touched.subject
        AND held.relation = touched.relation
        AND held.member = touched.member
        AND held.position <= :after
    WHERE coalesce(held.superseded_at, :after + 1) > :after
)

SELECT
    ledger.position, ledger.ordinal, subject, relation, object, member, retracts, superseded_at,
    subject_text, object_text, literal, frontend
FROM places
CROSS JOIN ledger
    ON ledger.history = :history
    AND ledger.position = places.position
    AND ledger.ordinal = places.ordinal
ORDER BY ledger.position, ledger.ordinal
