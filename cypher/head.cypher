// A history's counters, and what is said of some of its relations.
//
// $history    name of the history
// $relations  names of relations
// returns     version, records, next_position, longest_key, batches, relations
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX h:History(name)
CALL (h) {
  UNWIND $relations AS name
  MATCH (r:Relation {history: $history, name: name})
  USING INDEX r:Relation(history, name)
  RETURN collect([r.name, r.values, r.set_by]) AS relations
}
RETURN h.version AS version, h.records AS records, h.next_position AS next_position,
  h.longest_key AS longest_key, h.batches AS batches, relations
