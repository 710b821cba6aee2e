// The assertions after one position up to another, and what held before in their slots.
//
// $history  name of the history
// $after    position
// $upto     position
// returns   version
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history}]->(o)
USING INDEX SEEK a:ASSERTED(history, position, ordinal)
WHERE a.position > $after AND a.position <= $upto AND a.ordinal >= 0
WITH a.subject AS subject, a.relation AS relation, a.member AS member, collect([
  a.position, a.ordinal, a.subject, a.relation, o.key, a.member, a.retracts, a.superseded_at,
  a.subject_text, a.object_text, a.literal, a.frontend
]) AS said
CALL (subject, relation, member) {
  MATCH ()-[b:ASSERTED {history: $history, subject: subject, relation: relation, member: member}]->(o)
  USING INDEX SEEK b:ASSERTED(history, subject, relation, member, position)
  WHERE b.position <= $after AND coalesce(b.superseded_at, $after + 1) > $after
  RETURN collect([
    b.position, b.ordinal, b.subject, b.relation, o.key, b.member, b.retracts, b.superseded_at,
    b.subject_text, b.object_text, b.literal, b.frontend
  ]) AS held
}
UNWIND held + said AS version
WITH version
ORDER BY version[0], version[1]
RETURN version
