// Both ends of every assertion of a history: how it names them, and the entities that are there; where
// a surface or a key is none, other statements tell of it.
//
// $history  name of the history
// returns   position, ordinal, end, surface, key, name, element
CYPHER 5
MATCH (s)-[a:ASSERTED {history: $history}]->(o)
USING INDEX SEEK a:ASSERTED(history, position, ordinal)
WHERE a.position >= 0 AND a.ordinal >= 0
UNWIND [['subject', a.subject_text, s], ['object', a.object_text, o]] AS one
WITH a, one[0] AS end, one[1] AS surface, one[2] AS e
WHERE surface IS :: STRING NOT NULL AND e.key IS :: STRING NOT NULL
RETURN a.position AS position, a.ordinal AS ordinal, end, surface, e.key AS key,
  CASE WHEN e.name IS :: STRING NOT NULL THEN e.name END AS name, elementId(e) AS element
