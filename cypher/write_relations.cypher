// Writes how many values relations have, and who says so.
//
// $history  name of the history
// $names    names of relations
// $values   for each relation: one or many
// $set_by   for each relation: pack, person or frontend
// returns   relations
CYPHER 5
UNWIND range(0, size($names) - 1) AS i
MERGE (r:Relation {history: $history, name: $names[i]})
SET r.values = $values[i], r.set_by = $set_by[i]
RETURN count(*) AS relations
