// A history's counters, the versions that are published and announced of it, and what is said of some
// relations.
//
// $history    name of the history
// $relations  names of relations
// returns     version, published, announced, records, next_position, longest_key, batches, relations (those
//             and the ones that count instead)
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
OPTIONAL MATCH (p:Published {history: $history})
USING INDEX SEEK p:Published(history)
WITH h, p.version AS published, coalesce(p.announced, p.version) AS announced
CALL (h) {
  UNWIND $relations AS name
  MATCH (r:Relation {history: $history, name: name})
  USING INDEX SEEK r:Relation(history, name)
  OPTIONAL MATCH (root:Relation {history: $history, name: r.merged_into})
  USING INDEX SEEK root:Relation(history, name)
  UNWIND [r, root] AS one
  WITH DISTINCT one
  WHERE one IS NOT NULL
  RETURN collect([one.name, one.values, one.set_by, one.merged_into]) AS relations
}
RETURN h.version AS version, published, announced, h.records AS records, h.next_position AS next_position,
  h.longest_key AS longest_key, h.batches AS batches, relations
