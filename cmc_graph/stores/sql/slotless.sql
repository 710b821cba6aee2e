-- Of the first assertions of some entities, how many were looked at, and how many are in no slot.
-- Parameters: :entities (JSON array of numbers), :most (how many to look at)
-- Returns: looked_at, slotless
SELECT
    count(*),
    count(*) FILTER (
        WHERE NOT EXISTS (
            SELECT 1
            FROM slot
            WHERE
                slot.subject = said.subject
                AND slot.relation = said.relation
                AND slot.member = said.member
        )
    )
FROM (
    SELECT assertion.subject, assertion.relation, assertion.member
    FROM json_each(:entities) AS some
    CROSS JOIN assertion ON assertion.subject = some.value
    LIMIT :most
) AS said
