-- The next thousand entities of a history by number. The plus keeps SQLite from reading and sorting
-- all of them each time.
-- Parameters: :history, :after (number)
-- Returns: id
SELECT id
FROM entity
WHERE +history = :history AND id > :after
ORDER BY id
LIMIT 1000
