// Patterns of a history are numbered.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_pattern IF NOT EXISTS
FOR (p:Pattern) REQUIRE (p.history, p.number) IS UNIQUE
