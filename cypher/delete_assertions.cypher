// Deletes the assertions of some records; the slots returned are then to be resolved.
//
// $history    name of the history
// $positions  positions of records
// returns     subject, relation, member, object
CYPHER 5
UNWIND $positions AS position
MATCH ()-[a:ASSERTED {history: $history, position: position}]->(o)
USING INDEX SEEK a:ASSERTED(history, position, ordinal)
WHERE a.ordinal >= 0
WITH a, a.subject AS subject, a.relation AS relation, a.member AS member, o.key AS object
DELETE a
RETURN subject, relation, member, object
