// A history's counters as its nodes say.
//
// $history  name of the history
// returns   records, next_position, longest_key
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
CALL (h) {
  MATCH (r:Record {history: $history})
  USING INDEX SEEK r:Record(history, position)
  WHERE r.position >= 0
  RETURN count(*) AS records, coalesce(max(r.position) + 1, 0) AS next_position
}
CALL (h) {
  MATCH (e:Entity {history: $history})
  USING INDEX SEEK e:Entity(history, key)
  WHERE e.key >= ''
  RETURN coalesce(max(size(split(e.key, ' '))), 0) AS longest_key
}
RETURN records, next_position, longest_key
