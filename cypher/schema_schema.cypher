// There is one schema version per database.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_schema IF NOT EXISTS
FOR (s:Schema) REQUIRE s.version IS UNIQUE
