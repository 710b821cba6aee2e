-- Those of the keys that are subjects of a current or ended edge, as of a position, or would be if not
-- all their slots were lost.
-- Parameters: :history, :keys (JSON array), :as_of
-- Returns: key, id
SELECT entity.key, entity.id
FROM json_each(:keys) AS wanted
CROSS JOIN entity ON entity.history = :history AND entity.key = wanted.value
WHERE (
    EXISTS (
        SELECT 1
        FROM slot
        CROSS JOIN assertion
            ON assertion.subject = slot.subject
            AND assertion.relation = slot.relation
            AND assertion.member = slot.member
            AND assertion.position <= :as_of
        WHERE slot.subject = entity.id
    )
    OR (
        NOT EXISTS (SELECT 1 FROM slot WHERE slot.subject = entity.id)
        AND EXISTS (
            SELECT 1
            FROM assertion
            WHERE assertion.subject = entity.id AND assertion.position <= :as_of
        )
    )
)
