// Gives entities the keys that their surfaces prove, where no other entity has them.
//
// $history   name of the history
// $elements  ids of entities in the database
// $keys      one for each
// returns    nothing
CYPHER 5
UNWIND range(0, size($elements) - 1) AS i
MATCH (e:Entity {history: $history})
WHERE elementId(e) = $elements[i] AND NOT EXISTS {
  MATCH (:Entity {history: $history, key: $keys[i]})
}
SET e.key = $keys[i]
