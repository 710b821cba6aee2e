// Gives a history, whose write lock the transaction holds, its node and marks back, where they are
// missing or were made up; its counters are then to be derived anew.
//
// $history  name of the history
// returns   nothing
CYPHER 5
MATCH (h:History {name: $history})
MATCH (p:Published {history: $history})
SET h.version = CASE
    WHEN h.version IS :: INTEGER NOT NULL AND h.version > 0 THEN h.version
    WHEN p.version IS :: INTEGER NOT NULL AND p.version > 0 THEN p.version
    ELSE 1
  END,
  h.records = CASE WHEN h.records IS :: INTEGER NOT NULL THEN h.records ELSE 0 END,
  h.next_position = CASE WHEN h.next_position IS :: INTEGER NOT NULL THEN h.next_position ELSE 0 END,
  h.longest_key = CASE WHEN h.longest_key IS :: INTEGER NOT NULL THEN h.longest_key ELSE 0 END,
  h.batches = CASE WHEN h.batches IS :: LIST<INTEGER NOT NULL> NOT NULL THEN h.batches ELSE [] END
SET p.version = h.version, p.announced = h.version
