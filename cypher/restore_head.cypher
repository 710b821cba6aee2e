// Gives a history with records its node and marks back, where they are missing or were made up; its
// counters are then to be derived anew.
//
// $history  name of the history
// returns   nothing
CYPHER 5
UNWIND CASE WHEN EXISTS { (:Record {history: $history}) } THEN [1] ELSE [] END AS written
MERGE (h:History {name: $history})
MERGE (p:Published {history: $history})
SET h.version = coalesce(h.version, p.version, 1), h.records = coalesce(h.records, 0),
  h.next_position = coalesce(h.next_position, 0), h.longest_key = coalesce(h.longest_key, 0),
  h.batches = coalesce(h.batches, [])
SET p.version = h.version
