-- Notes the slots that records at these positions speak of, to be resolved as a whole.
-- Parameters: :history, :positions (JSON array)
-- Returns: nothing
INSERT INTO touched (subject, relation, member, position, ordinal)
SELECT DISTINCT assertion.subject, assertion.relation, assertion.member, -1, -1
FROM json_each(:positions) AS gone
CROSS JOIN assertion ON assertion.history = :history AND assertion.position = gone.value
