// Every index of the database, those of constraints included.
//
// returns  kind, properties, is_unique, state
CYPHER 5
SHOW INDEXES
YIELD labelsOrTypes, properties, owningConstraint, state
WHERE labelsOrTypes IS NOT NULL AND properties IS NOT NULL
RETURN labelsOrTypes[0] AS kind, properties, owningConstraint IS NOT NULL AS is_unique, state
