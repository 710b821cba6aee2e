// Gives the assertions of a relation to another one. Nothing but the ledger is changed: the slots
// returned, each as it was and as it is, are then to be resolved.
//
// $history   name of the history
// $relation  name of the relation
// $root      name of the one they are given to
// $many      true for a slot per object, false for one per subject
// returns    subject, old, new
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history, relation: $relation}]->(o)
USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
WHERE a.subject >= '' AND a.member >= '' AND a.position >= 0
WITH a, a.subject AS subject, a.member AS old, CASE WHEN $many THEN o.key ELSE '' END AS new
SET a.relation = $root, a.member = new
RETURN DISTINCT subject, old, new
