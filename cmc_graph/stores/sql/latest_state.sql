-- The records of the slots' last words and the unresolved ones, as of a position, newest first.
-- Parameters: :history, :as_of
-- Returns: how many there are, then the columns of stored_record after history
WITH shown AS NOT MATERIALIZED (
    SELECT *
    FROM stored_record AS told
    WHERE
        history = :history
        AND position <= :as_of
        AND (
            status = 'unresolved'
            OR EXISTS (
                SELECT 1
                FROM assertion
                WHERE
                    assertion.history = :history
                    AND assertion.position = told.position
                    AND coalesce(assertion.superseded_at, :as_of + 1) > :as_of
            )
        )
)

SELECT
    (SELECT count(*) FROM shown) AS total,
    position, text, status, reason, source, source_line, observed_at, speaker, session
FROM shown
ORDER BY position DESC
