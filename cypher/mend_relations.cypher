// Writes relations anew as their assertions prove them; who said how many values one takes is kept
// where it is known.
//
// $history  name of the history
// $names    names of relations
// returns   nothing
CYPHER 5
MATCH ()-[a:ASSERTED]->(o)
WHERE a.history = $history AND a.relation IN $names
WITH a.relation AS name,
  collect(DISTINCT CASE WHEN a.member = '' THEN 'one' WHEN a.member = o.key THEN 'many' END) AS said
WHERE size(said) = 1
MERGE (r:Relation {history: $history, name: name})
SET r.values = said[0]
