// Takes the write lock on a history, which it creates where it is missing: one writer at a time.
// Setting a property locks the node, also to the same value.
//
// $history  name of the history
// returns   nothing
CYPHER 5
MERGE (h:History {name: $history})
ON CREATE SET h.version = 0, h.records = 0, h.next_position = 0, h.longest_key = 0, h.batches = []
SET h.name = $history
