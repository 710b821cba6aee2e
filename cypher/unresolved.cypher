// The unresolved records up to a position, newest first.
//
// $history  name of the history
// $as_of    the position; the greatest one for now
// returns   version, version_after, total, record
CYPHER 5
MATCH (p:Published {history: $history})
USING INDEX SEEK p:Published(history)
WITH p.version AS version
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
WITH h, version, COUNT {
  MATCH (u:Record {history: $history, status: 'unresolved'})
  USING INDEX SEEK u:Record(history, status, position)
  WHERE u.position <= $as_of
} AS total
CALL (h) {
  OPTIONAL MATCH (r:Record {history: $history, status: 'unresolved'})
  USING INDEX SEEK r:Record(history, status, position)
  WHERE r.position <= $as_of
  WITH r
  ORDER BY r.history DESC, r.status DESC, r.position DESC
  RETURN [
      r.position, r.text, r.status, r.reason, r.source, r.source_line, r.observed_at, r.speaker, r.session
    ] AS record
}
CALL (record) {
  MATCH (now:Published {history: $history})
  USING INDEX SEEK now:Published(history)
  RETURN coalesce(now.announced, now.version) AS version_after
}
RETURN version, version_after, total, record
