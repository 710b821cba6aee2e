// Writes the last words of slots that have no edge, between entities that are there.
//
// $history    name of the history
// $subjects, $relations, $members, $positions, $ordinals, $objects, $retracts   one value for each
// returns     nothing
CYPHER 5
UNWIND range(0, size($subjects) - 1) AS i
MATCH (s:Entity {history: $history, key: $subjects[i]})
USING INDEX SEEK s:Entity(history, key)
MATCH (o:Entity {history: $history, key: $objects[i]})
USING INDEX SEEK o:Entity(history, key)
FOREACH (j IN CASE WHEN $retracts[i] THEN [] ELSE [i] END |
  CREATE (s)-[:CURRENT {
    history: $history, subject: $subjects[j], relation: $relations[j], member: $members[j],
    position: $positions[j], ordinal: $ordinals[j]
  }]->(o))
FOREACH (j IN CASE WHEN $retracts[i] THEN [i] ELSE [] END |
  CREATE (s)-[:ENDED {
    history: $history, subject: $subjects[j], relation: $relations[j], member: $members[j],
    position: $positions[j], ordinal: $ordinals[j]
  }]->(o))
