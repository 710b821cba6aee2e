-- Writes where the resolved versions end, where it differs.
-- Parameters: :history
-- Returns: nothing
UPDATE assertion
SET superseded_at = resolved.superseded_at
FROM resolved
WHERE
    assertion.history = :history
    AND assertion.position = resolved.position
    AND assertion.ordinal = resolved.ordinal
    AND assertion.superseded_at IS NOT resolved.superseded_at
