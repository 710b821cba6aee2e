// Deletes damaged edges of the projection; the slots returned are then to be resolved: those that the
// edges may have been of.
//
// $history   name of the history
// $elements  ids of edges in the database
// returns    subject, relation, member
CYPHER 5
MATCH (s:Entity)-[c:CURRENT|ENDED]->(o:Entity)
WHERE elementId(c) IN $elements AND (s.history = $history OR o.history = $history)
WITH c, s, {subject: c.subject, relation: c.relation, member: c.member} AS own
DELETE c
WITH DISTINCT s, own
CALL (s, own) {
  MATCH (s)-[a:ASSERTED {history: $history}]->()
  RETURN DISTINCT a.subject AS subject, a.relation AS relation, a.member AS member
  UNION
  RETURN own.subject AS subject, own.relation AS relation, own.member AS member
}
RETURN DISTINCT subject, relation, member
