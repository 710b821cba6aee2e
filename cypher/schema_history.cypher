// Names of histories are unique; writers lock a history by this node.
//
// returns  nothing
CYPHER 5
CREATE CONSTRAINT cmc_history IF NOT EXISTS
FOR (h:History) REQUIRE h.name IS UNIQUE
