// Deletes entities that nothing names any more.
//
// $history  name of the history
// $keys     keys of entities without relationships
// returns   nothing
CYPHER 5
UNWIND $keys AS key
MATCH (e:Entity {history: $history, key: key})
USING INDEX SEEK e:Entity(history, key)
DELETE e
