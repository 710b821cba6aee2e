-- Removes the touched slots that no assertion speaks of any more.
-- Parameters: none
-- Returns: nothing
DELETE FROM slot
WHERE
    (subject, relation, member) IN (SELECT subject, relation, member FROM touched)
    AND NOT EXISTS (
        SELECT 1
        FROM assertion
        WHERE
            assertion.subject = slot.subject
            AND assertion.relation = slot.relation
            AND assertion.member = slot.member
    )
