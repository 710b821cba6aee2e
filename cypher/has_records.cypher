// Whether a history has a record.
//
// $history  name of the history
// returns   position (of one; no row where there is none)
CYPHER 5
MATCH (r:Record {history: $history})
USING INDEX SEEK r:Record(history, position)
WHERE r.position >= 0
RETURN r.position AS position
LIMIT 1
