// Deletes records whose assertions are deleted already.
//
// $history    name of the history
// $positions  positions of records
// returns     nothing
CYPHER 5
UNWIND $positions AS position
MATCH (r:Record {history: $history, position: position})
USING INDEX SEEK r:Record(history, position)
DELETE r
