// Where the last words of slots were, of which none is there.
//
// $history    name of the history
// $subjects, $relations, $members   one value for each slot
// returns     position
CYPHER 5
UNWIND range(0, size($subjects) - 1) AS i
WITH $subjects[i] AS subject, $relations[i] AS relation, $members[i] AS member
CALL (subject, relation, member) {
  MATCH ()-[c:CURRENT {history: $history, subject: subject, relation: relation, member: member}]->()
  USING INDEX SEEK c:CURRENT(history, subject, relation, member)
  RETURN c.position AS position, c.ordinal AS ordinal
  UNION ALL
  MATCH ()-[e:ENDED {history: $history, subject: subject, relation: relation, member: member}]->()
  USING INDEX SEEK e:ENDED(history, subject, relation, member)
  RETURN e.position AS position, e.ordinal AS ordinal
}
WITH position, ordinal
WHERE position >= 0 AND NOT EXISTS {
  MATCH ()-[a:ASSERTED {history: $history, position: position, ordinal: ordinal}]->()
  USING INDEX SEEK a:ASSERTED(history, position, ordinal)
}
RETURN position
