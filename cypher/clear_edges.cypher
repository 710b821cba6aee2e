// Deletes all current and ended edges of a history.
//
// $history  name of the history
// returns   subject, relation, member, position, ordinal, object, retracts
CYPHER 5
CALL () {
  MATCH ()-[c:CURRENT {history: $history}]->(o)
  USING INDEX SEEK c:CURRENT(history, subject, relation, member)
  WHERE c.subject >= '' AND c.relation >= '' AND c.member >= ''
  RETURN c AS edge, o.key AS object, false AS retracts
  UNION ALL
  MATCH ()-[e:ENDED {history: $history}]->(o)
  USING INDEX SEEK e:ENDED(history, subject, relation, member)
  WHERE e.subject >= '' AND e.relation >= '' AND e.member >= ''
  RETURN e AS edge, o.key AS object, true AS retracts
}
WITH edge, edge.subject AS subject, edge.relation AS relation, edge.member AS member,
  edge.position AS position, edge.ordinal AS ordinal, object, retracts
DELETE edge
RETURN subject, relation, member, position, ordinal, object, retracts
