// Says that a relation, with all that was merged into it, counts as another one.
//
// $history   name of the history
// $relation  name of the relation
// $root      name of the one that counts
// returns    nothing
CYPHER 5
MERGE (r:Relation {history: $history, name: $relation})
ON CREATE SET r.values = 'one', r.set_by = 'frontend'
SET r.merged_into = $root
WITH DISTINCT $relation AS merged
MATCH (other:Relation {history: $history, merged_into: merged})
USING INDEX SEEK other:Relation(history, name)
WHERE other.name >= ''
SET other.merged_into = $root
