// The keys of all entities.
//
// $history  name of the history
// returns   key
CYPHER 5
MATCH (e:Entity {history: $history})
USING INDEX SEEK e:Entity(history, key)
WHERE e.key >= ''
RETURN e.key AS key
