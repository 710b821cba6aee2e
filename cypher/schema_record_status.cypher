// The newest records of a status, in order.
//
// returns  nothing
CYPHER 5
CREATE INDEX cmc_record_status IF NOT EXISTS
FOR (r:Record) ON (r.history, r.status, r.position)
