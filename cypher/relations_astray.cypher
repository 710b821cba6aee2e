// The relations with assertions whose slots are not those of their number of values.
//
// $history  name of the history
// returns   name, values
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history}]->(o)
USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
WHERE a.subject >= '' AND a.relation >= '' AND a.member >= '' AND a.position >= 0
WITH a.relation AS relation, a.member AS member, o.key AS object
MATCH (r:Relation {history: $history, name: relation})
USING INDEX SEEK r:Relation(history, name)
WHERE member <> CASE r.values WHEN 'many' THEN object ELSE '' END
RETURN DISTINCT r.name AS name, r.values AS values
