// Writes entities; one that is there takes the name of an earlier record.
//
// $history    name of the history
// $keys       keys, each once
// $names      for each key the first surface that names it in this batch
// $positions  for each key the position of that surface's record
// returns     entities
CYPHER 5
UNWIND range(0, size($keys) - 1) AS i
MERGE (e:Entity {history: $history, key: $keys[i]})
ON CREATE SET e.name = $names[i], e.name_position = $positions[i]
WITH e, i
FOREACH (earlier IN CASE WHEN $positions[i] < e.name_position THEN [i] ELSE [] END |
  SET e.name = $names[earlier], e.name_position = $positions[earlier])
RETURN count(*) AS entities
