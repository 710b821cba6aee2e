-- How many slots some entities lack that their assertions up to a position are in. What the ledger has
-- of slots is stepped through, not its versions: each step goes past the greatest position.
-- Parameters: :entities (JSON array of numbers), :as_of
-- Returns: slots
WITH RECURSIVE said (subject, relation, member) AS (
    SELECT value, -1, -1
    FROM json_each(:entities)
    UNION ALL
    SELECT
        subject,
        (
            SELECT assertion.relation
            FROM assertion
            WHERE
                assertion.subject = said.subject
                AND (assertion.relation, assertion.member, assertion.position)
                    > (said.relation, said.member, 9223372036854775807)
            ORDER BY assertion.relation, assertion.member
            LIMIT 1
        ),
        (
            SELECT assertion.member
            FROM assertion
            WHERE
                assertion.subject = said.subject
                AND (assertion.relation, assertion.member, assertion.position)
                    > (said.relation, said.member, 9223372036854775807)
            ORDER BY assertion.relation, assertion.member
            LIMIT 1
        )
    FROM said
    WHERE relation IS NOT NULL
)

SELECT count(*)
FROM said
WHERE
    relation >= 0
    AND NOT EXISTS (
        SELECT 1
        FROM slot
        WHERE
            slot.subject = said.subject
            AND slot.relation = said.relation
            AND slot.member = said.member
    )
    AND EXISTS (
        SELECT 1
        FROM assertion
        WHERE
            assertion.subject = said.subject
            AND assertion.relation = said.relation
            AND assertion.member = said.member
            AND assertion.position <= :as_of
    )
