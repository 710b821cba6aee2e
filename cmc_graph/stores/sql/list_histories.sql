-- All histories, by name.
-- Parameters: none
-- Returns: name, version, records
SELECT name, version, records
FROM history
ORDER BY name
