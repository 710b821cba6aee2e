// Has no more than a frontend's word stand where it is lost who said how many values relations take.
//
// $history  name of the history
// $names    names of relations
// returns   nothing
CYPHER 5
UNWIND $names AS name
MATCH (r:Relation {history: $history, name: name})
USING INDEX SEEK r:Relation(history, name)
WHERE NOT coalesce(r.set_by IN ['pack', 'person', 'frontend'], false)
SET r.set_by = 'frontend'
