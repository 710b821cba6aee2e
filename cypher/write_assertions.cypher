// Writes assertions between entities that are there.
//
// $history    name of the history
// $positions, $ordinals, $subjects, $relations, $objects, $members, $retracts, $subject_texts,
// $object_texts, $literals, $frontends, $ends   one value for each assertion; the last one null where
//             no end is known
// returns     nothing
CYPHER 5
UNWIND range(0, size($positions) - 1) AS i
MATCH (s:Entity {history: $history, key: $subjects[i]})
USING INDEX SEEK s:Entity(history, key)
MATCH (o:Entity {history: $history, key: $objects[i]})
USING INDEX SEEK o:Entity(history, key)
CREATE (s)-[:ASSERTED {
  history: $history, position: $positions[i], ordinal: $ordinals[i], subject: $subjects[i],
  relation: $relations[i], member: $members[i], retracts: $retracts[i],
  subject_text: $subject_texts[i], object_text: $object_texts[i], literal: $literals[i],
  frontend: $frontends[i], superseded_at: $ends[i]
}]->(o)
