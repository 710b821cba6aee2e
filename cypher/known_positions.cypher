// The texts a history holds at some positions.
//
// $history    name of the history
// $positions  positions of records
// returns     position, text
CYPHER 5
UNWIND $positions AS position
MATCH (r:Record {history: $history, position: position})
USING INDEX SEEK r:Record(history, position)
RETURN position, r.text AS text
