// A history has one published version.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_published IF NOT EXISTS
FOR (p:Published) REQUIRE p.history IS UNIQUE
