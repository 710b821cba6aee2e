// Gives records other verdicts.
//
// $history    name of the history
// $positions  positions of records
// $statuses, $reasons   one value for each record; null where there is no reason
// returns     records
CYPHER 5
UNWIND range(0, size($positions) - 1) AS i
MATCH (r:Record {history: $history, position: $positions[i]})
USING INDEX SEEK r:Record(history, position)
SET r.status = $statuses[i], r.reason = $reasons[i]
RETURN count(*) AS records
