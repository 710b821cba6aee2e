-- Where the last words of touched slots were, of which none is there.
-- Parameters: :history
-- Returns: position
SELECT slot.position
FROM touched
CROSS JOIN slot
    ON slot.subject = touched.subject
    AND slot.relation = touched.relation
    AND slot.member = touched.member
WHERE NOT EXISTS (
    SELECT 1
    FROM assertion
    WHERE
        assertion.history = :history
        AND assertion.position = slot.position
        AND assertion.ordinal = slot.ordinal
)
