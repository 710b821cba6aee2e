-- The last word of every slot of a history.
-- Parameters: :history
-- Returns: subject, relation, member (numbers), position, ordinal, object (number), retracts
SELECT
    slot.subject, slot.relation, slot.member,
    assertion.position, assertion.ordinal, assertion.object, assertion.retracts
FROM entity
CROSS JOIN slot ON slot.subject = entity.id
CROSS JOIN assertion
    ON assertion.history = :history
    AND assertion.position = slot.position
    AND assertion.ordinal = slot.ordinal
WHERE entity.history = :history
