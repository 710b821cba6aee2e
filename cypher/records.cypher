// The records at some positions.
//
// $history    name of the history
// $positions  positions of records
// returns     record
CYPHER 5
UNWIND $positions AS position
MATCH (r:Record {history: $history, position: position})
USING INDEX SEEK r:Record(history, position)
RETURN [
  r.position, r.text, r.status, r.reason, r.source, r.source_line, r.observed_at, r.speaker, r.session
] AS record
