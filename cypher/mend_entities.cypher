// Gives entities the key and the history that their assertions prove.
//
// $history   name of the history
// $elements  ids of entities in the database
// returns    nothing
CYPHER 5
MATCH (e:Entity)
WHERE elementId(e) IN $elements
CALL (e) {
  OPTIONAL MATCH (e)-[a:ASSERTED]->()
  RETURN collect(DISTINCT a.subject) AS keys
}
SET e.key = CASE WHEN e.key IS :: STRING NOT NULL THEN e.key ELSE keys[0] END, e.history = $history
