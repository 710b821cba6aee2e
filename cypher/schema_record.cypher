// A position holds one record; edges are joined back to records by it.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_record IF NOT EXISTS
FOR (r:Record) REQUIRE (r.history, r.position) IS UNIQUE
