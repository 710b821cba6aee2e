// Every record with its assertions, ascending by position.
//
// $history  name of the history
// returns   version, version_after, record, versions
CYPHER 5
MATCH (p:Published {history: $history})
USING INDEX SEEK p:Published(history)
WITH p.version AS version
CALL (version) {
  MATCH (r:Record {history: $history})
  USING INDEX SEEK r:Record(history, position)
  WHERE r.position >= 0
  RETURN r
  ORDER BY r.history, r.position
}
CALL (r) {
  MATCH ()-[a:ASSERTED {history: $history, position: r.position}]->(o)
  USING INDEX SEEK a:ASSERTED(history, position, ordinal)
  WHERE a.ordinal >= 0
  WITH a, o
  ORDER BY a.ordinal
  RETURN collect([
    a.position, a.ordinal, a.subject, a.relation, o.key, a.member, a.retracts, a.superseded_at,
    a.subject_text, a.object_text, a.literal, a.frontend
  ]) AS versions
}
WITH version, versions, [
  r.position, r.text, r.status, r.reason, r.source, r.source_line, r.observed_at, r.speaker, r.session
] AS record
CALL (record) {
  MATCH (now:Published {history: $history})
  USING INDEX SEEK now:Published(history)
  RETURN coalesce(now.announced, now.version) AS version_after
}
RETURN version, version_after, record, versions
