// All histories.
//
// returns  name, version, records
CYPHER 5
MATCH (h:History)
RETURN h.name AS name, h.version AS version, h.records AS records
