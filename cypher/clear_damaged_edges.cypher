// Deletes the edges of the projection that lack a property, and all edges of slots that have several;
// what they ought to be follows from the assertions.
//
// $history  name of the history
// returns   nothing
CYPHER 5
CALL () {
  MATCH ()-[c:CURRENT|ENDED]->()
  WHERE coalesce(c.history, $history) = $history
  WITH c.history AS history, c.subject AS subject, c.relation AS relation, c.member AS member,
    collect(c) AS edges
  WHERE size(edges) > 1 OR history IS NULL OR subject IS NULL OR relation IS NULL OR member IS NULL
    OR edges[0].position IS NULL OR edges[0].ordinal IS NULL
  UNWIND edges AS edge
  RETURN edge
}
DELETE edge
