// What ledger and projection hold of some slots, side by side.
//
// $history    name of the history
// $subjects, $relations, $members   one value for each slot
// returns     subject, relation, member, versions, edges
CYPHER 5
UNWIND range(0, size($subjects) - 1) AS i
WITH $subjects[i] AS subject, $relations[i] AS relation, $members[i] AS member
CALL (subject, relation, member) {
  MATCH (s)-[a:ASSERTED {history: $history, subject: subject, relation: relation, member: member}]->(o)
  USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
  WHERE a.position >= 0
  WITH a, s, o
  ORDER BY a.position, a.ordinal
  RETURN collect([a.position, a.ordinal, s.key, o.key, a.retracts, a.superseded_at]) AS versions
}
CALL (subject, relation, member) {
  CALL (subject, relation, member) {
    MATCH (s)-[c:CURRENT {history: $history, subject: subject, relation: relation, member: member}]->(o)
    USING INDEX SEEK c:CURRENT(history, subject, relation, member)
    RETURN [c.position, c.ordinal, s.key, o.key, false] AS edge
    UNION ALL
    MATCH (s)-[e:ENDED {history: $history, subject: subject, relation: relation, member: member}]->(o)
    USING INDEX SEEK e:ENDED(history, subject, relation, member)
    RETURN [e.position, e.ordinal, s.key, o.key, true] AS edge
  }
  RETURN collect(edge) AS edges
}
RETURN subject, relation, member, versions, edges
