// Every slot that has an edge but no assertion.
//
// $history  name of the history
// returns   subject, relation, member
CYPHER 5
CALL () {
  MATCH ()-[c:CURRENT {history: $history}]->()
  USING INDEX SEEK c:CURRENT(history, subject, relation, member)
  WHERE c.subject >= '' AND c.relation >= '' AND c.member >= ''
  RETURN c.subject AS subject, c.relation AS relation, c.member AS member
  UNION
  MATCH ()-[e:ENDED {history: $history}]->()
  USING INDEX SEEK e:ENDED(history, subject, relation, member)
  WHERE e.subject >= '' AND e.relation >= '' AND e.member >= ''
  RETURN e.subject AS subject, e.relation AS relation, e.member AS member
}
WITH subject, relation, member
WHERE NOT EXISTS {
  MATCH ()-[a:ASSERTED {history: $history, subject: subject, relation: relation, member: member}]->()
  USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
  WHERE a.position >= 0
}
RETURN subject, relation, member
