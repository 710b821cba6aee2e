// A key names one entity of a history; anchors are looked up by it.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_entity IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.history, e.key) IS UNIQUE
