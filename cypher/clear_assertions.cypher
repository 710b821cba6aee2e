// Deletes all assertions of a history.
//
// $history  name of the history
// returns   nothing
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history}]->()
USING INDEX SEEK a:ASSERTED(history, position, ordinal)
WHERE a.position >= 0 AND a.ordinal >= 0
DELETE a
