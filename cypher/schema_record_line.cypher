// A line of a known source is recognised.
//
// returns  nothing
CYPHER 5
CREATE INDEX cmc_record_line IF NOT EXISTS
FOR (r:Record) ON (r.history, r.source, r.source_line)
