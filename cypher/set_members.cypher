// Rewrites the slots of a relation's assertions for another number of values. Nothing but the
// ledger is changed: the slots returned, old and new, are then to be resolved.
//
// $history   name of the history
// $relation  name of the relation
// $many      true for a slot per object, false for one per subject
// returns    subject, member
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history, relation: $relation}]->(o)
USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
WHERE a.subject >= '' AND a.member >= '' AND a.position >= 0
WITH a, a.subject AS subject, a.member AS old, CASE WHEN $many THEN o.key ELSE '' END AS new
WHERE old <> new
SET a.member = new
WITH subject, old, new
UNWIND [old, new] AS member
RETURN DISTINCT subject, member
