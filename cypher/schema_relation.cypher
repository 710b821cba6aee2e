// A relation is declared once in a history.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_relation IF NOT EXISTS
FOR (r:Relation) REQUIRE (r.history, r.name) IS UNIQUE
