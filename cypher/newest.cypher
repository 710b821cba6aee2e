// The records up to a position, newest first.
//
// $history  name of the history
// $as_of    the position; the greatest one for now
// returns   version, total, record
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX h:History(name)
WITH h, h.version AS version, h.records - COUNT {
  MATCH (later:Record {history: $history})
  USING INDEX later:Record(history, position)
  WHERE later.position > $as_of
} AS total
CALL (h) {
  OPTIONAL MATCH (r:Record {history: $history})
  USING INDEX r:Record(history, position)
  WHERE r.position <= $as_of
  RETURN r
  ORDER BY r.history DESC, r.position DESC
}
RETURN version, total, [
  r.position, r.text, r.status, r.reason, r.source, r.source_line, r.observed_at, r.speaker, r.session
] AS record
