// Deletes relations that no assertion has any more.
//
// $history  name of the history
// $names    names of relations
// returns   nothing
CYPHER 5
UNWIND $names AS name
MATCH (r:Relation {history: $history, name: name})
USING INDEX SEEK r:Relation(history, name)
DELETE r
