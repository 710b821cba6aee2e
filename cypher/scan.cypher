// Every record with its assertions, ascending by position.
//
// $history  name of the history
// returns   record, versions
CYPHER 5
MATCH (r:Record {history: $history})
USING INDEX r:Record(history, position)
WHERE r.position >= 0
WITH r
ORDER BY r.history, r.position
CALL (r) {
  MATCH ()-[a:ASSERTED {history: $history, position: r.position}]->(o)
  USING INDEX a:ASSERTED(history, position, ordinal)
  WHERE a.ordinal >= 0
  WITH a, o
  ORDER BY a.ordinal
  RETURN collect([
    a.position, a.ordinal, a.subject, a.relation, o.key, a.member, a.retracts, a.superseded_at,
    a.subject_text, a.object_text, a.literal, a.frontend
  ]) AS versions
}
RETURN [
  r.position, r.text, r.status, r.reason, r.source, r.source_line, r.observed_at, r.speaker, r.session
] AS record, versions
