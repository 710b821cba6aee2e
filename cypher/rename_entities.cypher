// Gives entities other names.
//
// $history    name of the history
// $keys       keys of entities
// $names      for each key its name
// $positions  for each key the position of the record the name is taken from
// returns     nothing
CYPHER 5
UNWIND range(0, size($keys) - 1) AS i
MATCH (e:Entity {history: $history, key: $keys[i]})
USING INDEX SEEK e:Entity(history, key)
SET e.name = $names[i], e.name_position = $positions[i]
