// The versions of a slot from a position on.
//
// returns  nothing
CYPHER 5
CREATE INDEX cmc_asserted_slot IF NOT EXISTS
FOR ()-[a:ASSERTED]-() ON (a.history, a.subject, a.relation, a.member, a.position)
