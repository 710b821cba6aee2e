// Takes the write lock on a history, which it creates where it is missing: one writer at a time.
// Setting a property locks the node, also to the same value.
//
// $history  name of the history
// returns   nothing
CYPHER 5
MERGE (h:History {name: $history})
ON CREATE SET h.version = 0, h.records = 0, h.next_position = 0, h.longest_key = 0, h.batches = []
SET h.name = $history
// A history is published from its first transaction on, so that a reader always sees whether a batch
// was committed that nobody published yet. This mark becomes visible with that transaction itself.
MERGE (p:Published {history: $history})
ON CREATE SET p.version = 0, p.announced = 1
