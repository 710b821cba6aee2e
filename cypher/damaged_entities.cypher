// The entities of a history that lack something, or have something of another type; also those its
// assertions begin or end at that are said to be of another history, or of none.
//
// A name follows from the assertions; a key where all that begin at the entity agree on one; a
// history where all assertions at the entity are of that one.
//
// $history  name of the history
// returns   what, place, detail, position (never one), element, is_derived
CYPHER 5
CALL () {
  MATCH (e:Entity)
  WHERE e.history = $history
  RETURN e
  UNION
  MATCH (s)-[a:ASSERTED]->(o)
  WHERE a.history = $history
  UNWIND [s, o] AS e
  WITH DISTINCT e
  WHERE coalesce(e.history <> $history, true)
  RETURN e
}
WITH e, [each IN [
  ['history', coalesce(e.history = $history, false)],
  ['key', e.key IS :: STRING NOT NULL],
  ['name', e.name IS :: STRING NOT NULL],
  ['name_position', e.name_position IS :: INTEGER NOT NULL]
] WHERE NOT each[1] | each[0]] AS wrong
WHERE wrong <> []
CALL (e) {
  RETURN NOT EXISTS {
    MATCH (e)-[a:ASSERTED]->()
    WHERE a.history <> $history
  } AND NOT EXISTS {
    MATCH (e)<-[a:ASSERTED]-()
    WHERE a.history <> $history
  } AS is_ours
}
CALL (e) {
  OPTIONAL MATCH (e)-[a:ASSERTED]->()
  RETURN collect(DISTINCT a.subject) AS keys
}
WITH e, wrong, is_ours, keys, CASE WHEN e.key IS :: STRING NOT NULL THEN e.key ELSE keys[0] END AS key
WITH e, wrong, is_ours, keys, NOT EXISTS {
  MATCH (other:Entity {history: $history, key: key})
  WHERE other <> e
} AS is_free
UNWIND wrong AS detail
RETURN 'entity' AS what, coalesce(toStringOrNull(e.key), toStringOrNull(e.name), '?') AS place, detail,
  null AS position, elementId(e) AS element, CASE detail
    WHEN 'history' THEN e:Entity AND is_ours AND is_free
    WHEN 'key' THEN is_free AND size(keys) = 1 AND keys[0] IS :: STRING NOT NULL
    ELSE true
  END AS is_derived
