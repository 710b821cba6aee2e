// A slot has one current edge at most.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_current IF NOT EXISTS
FOR ()-[c:CURRENT]-() REQUIRE (c.history, c.subject, c.relation, c.member) IS UNIQUE
