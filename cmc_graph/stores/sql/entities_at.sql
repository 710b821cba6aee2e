-- The entities that records at these positions name.
-- Parameters: :history, :positions (JSON array)
-- Returns: id
SELECT assertion.subject
FROM json_each(:positions) AS gone
CROSS JOIN assertion ON assertion.history = :history AND assertion.position = gone.value
UNION
SELECT assertion.object
FROM json_each(:positions) AS gone
CROSS JOIN assertion ON assertion.history = :history AND assertion.position = gone.value
