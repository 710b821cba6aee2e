// Waits until every index can be used.
//
// $seconds  how long to wait
// returns   nothing
CYPHER 5
CALL db.awaitIndexes($seconds)
