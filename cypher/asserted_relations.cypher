// Those of some relations that assertions have. No index holds relations alone: all assertions of the
// history are looked at.
//
// $history  name of the history
// $names    names of relations
// returns   name
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history}]->()
USING INDEX SEEK a:ASSERTED(history, position, ordinal)
WHERE a.position >= 0 AND a.ordinal >= 0 AND a.relation IN $names
RETURN DISTINCT a.relation AS name
