// A slot has one ended edge at most.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_ended IF NOT EXISTS
FOR ()-[e:ENDED]-() REQUIRE (e.history, e.subject, e.relation, e.member) IS UNIQUE
