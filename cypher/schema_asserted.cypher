// An assertion is written once; equal values at other positions stay apart.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_asserted IF NOT EXISTS
FOR ()-[a:ASSERTED]-() REQUIRE (a.history, a.position, a.ordinal) IS UNIQUE
