-- What takes a slot (graph model): which versions of the touched slots have effect, and where each
-- version ends. The only place where the store decides this.
--
-- An assertion of a value always has effect and starts a new word of its slot. A retraction has
-- effect if it is the first in its word to name the word's value, or if it is the first of a slot
-- that holds nothing yet (word 0). A version with effect ends at the position of the next one with
-- effect, and has no end if it is the last word; a retraction without effect ends where it stands.
-- What lies between a slot's last word and its first new assertion cannot have effect and is left
-- alone, so that the cost does not depend on how many versions the slot already has.
--
-- Parameters: :history
-- Returns: nothing; fills resolved
INSERT INTO resolved (subject, relation, member, position, ordinal, superseded_at)
WITH retracted AS MATERIALIZED (
    SELECT *
    FROM touched
    WHERE EXISTS (
        SELECT 1
        FROM assertion
        WHERE
            assertion.retracts
            AND assertion.subject = touched.subject
            AND assertion.relation = touched.relation
            AND assertion.member = touched.member
    )
),

plain AS (
    SELECT *
    FROM touched
    WHERE
        (subject, relation, member)
        NOT IN (SELECT subject, relation, member FROM retracted)
),

version AS MATERIALIZED (
    SELECT
        retracted.subject, retracted.relation, retracted.member,
        assertion.position, assertion.ordinal, assertion.object, assertion.retracts
    FROM retracted
    CROSS JOIN assertion
        ON assertion.subject = retracted.subject
        AND assertion.relation = retracted.relation
        AND assertion.member = retracted.member
        AND (assertion.position, assertion.ordinal) >= (retracted.position, retracted.ordinal)
    UNION ALL
    SELECT
        retracted.subject, retracted.relation, retracted.member,
        slot.position, slot.ordinal, assertion.object, assertion.retracts
    FROM retracted
    CROSS JOIN slot
        ON slot.subject = retracted.subject
        AND slot.relation = retracted.relation
        AND slot.member = retracted.member
        AND (slot.position, slot.ordinal) < (retracted.position, retracted.ordinal)
    CROSS JOIN assertion
        ON assertion.history = :history
        AND assertion.position = slot.position
        AND assertion.ordinal = slot.ordinal
),

worded AS MATERIALIZED (
    SELECT
        *,
        sum(NOT retracts) OVER (
            PARTITION BY subject, relation, member ORDER BY position, ordinal
        ) AS word
    FROM version
),

ending AS (
    SELECT
        said.subject, said.relation, said.member, said.position, said.ordinal,
        row_number() OVER (
            PARTITION BY said.subject, said.relation, said.member, said.word
            ORDER BY said.position, said.ordinal
        ) AS nth
    FROM worded AS said
    LEFT JOIN worded AS held
        ON held.subject = said.subject
        AND held.relation = said.relation
        AND held.member = said.member
        AND held.word = said.word
        AND NOT held.retracts
    WHERE said.retracts AND (said.word = 0 OR held.object = said.object)
),

effective AS (
    SELECT
        assertion.subject, assertion.relation, assertion.member,
        assertion.position, assertion.ordinal
    FROM plain
    CROSS JOIN assertion
        ON assertion.subject = plain.subject
        AND assertion.relation = plain.relation
        AND assertion.member = plain.member
        AND (assertion.position, assertion.ordinal) >= (plain.position, plain.ordinal)
    UNION ALL
    SELECT slot.subject, slot.relation, slot.member, slot.position, slot.ordinal
    FROM plain
    CROSS JOIN slot
        ON slot.subject = plain.subject
        AND slot.relation = plain.relation
        AND slot.member = plain.member
        AND (slot.position, slot.ordinal) < (plain.position, plain.ordinal)
    UNION ALL
    SELECT subject, relation, member, position, ordinal FROM version WHERE NOT retracts
    UNION ALL
    SELECT subject, relation, member, position, ordinal FROM ending WHERE nth = 1
)

SELECT
    subject, relation, member, position, ordinal,
    lead(position) OVER (
        PARTITION BY subject, relation, member ORDER BY position, ordinal
    ) AS superseded_at
FROM effective
UNION ALL
SELECT subject, relation, member, position, ordinal, position
FROM version
WHERE
    retracts
    AND (subject, relation, member, position, ordinal) NOT IN (
        SELECT subject, relation, member, position, ordinal FROM ending WHERE nth = 1
    )
