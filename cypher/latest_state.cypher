// The records of all slots' last words as of a position, and the unresolved ones, newest first.
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
CALL (h) {
  MATCH ()-[v:ASSERTED {history: $history}]->()
  USING INDEX SEEK v:ASSERTED(history, position, ordinal)
  WHERE v.position <= $as_of AND v.ordinal >= 0 AND coalesce(v.superseded_at, $as_of + 1) > $as_of
  RETURN count(DISTINCT v.position) AS said
}
WITH h, version, said + COUNT {
  MATCH (u:Record {history: $history, status: 'unresolved'})
  USING INDEX SEEK u:Record(history, status, position)
  WHERE u.position <= $as_of
} AS total
CALL (h) {
  OPTIONAL MATCH (r:Record {history: $history})
  USING INDEX SEEK r:Record(history, position)
  WHERE r.position <= $as_of AND (r.status = 'unresolved' OR EXISTS {
    MATCH ()-[v:ASSERTED {history: $history, position: r.position}]->()
    USING INDEX SEEK v:ASSERTED(history, position, ordinal)
    WHERE v.ordinal >= 0 AND coalesce(v.superseded_at, $as_of + 1) > $as_of
  })
  WITH r
  ORDER BY r.history DESC, r.position DESC
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
