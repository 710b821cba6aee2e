-- Notes the first mention of a key in a batch.
-- Parameters: :key, :surface, :position
-- Returns: nothing
INSERT INTO mentioned (key, surface, position)
VALUES (:key, :surface, :position)
