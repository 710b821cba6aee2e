// How entities are named, and how they ought to be: by the surface at the smallest (position,
// ordinal) that names them, of a subject before an object. Null where nothing names them; an
// assertion that lost its surface still does, and the name stays.
//
// $history  name of the history
// $keys     keys of entities
// returns   key, name, name_position, surface, position
CYPHER 5
UNWIND $keys AS key
MATCH (e:Entity {history: $history, key: key})
USING INDEX SEEK e:Entity(history, key)
CALL (e) {
  OPTIONAL MATCH (e)-[a:ASSERTED]->()
  RETURN a, CASE WHEN a IS NOT NULL THEN coalesce(a.subject_text, e.name, e.key) END AS surface
  ORDER BY a.position, a.ordinal
  LIMIT 1
  UNION ALL
  OPTIONAL MATCH (e)<-[a:ASSERTED]-()
  RETURN a, CASE WHEN a IS NOT NULL THEN coalesce(a.object_text, e.name, e.key) END AS surface
  ORDER BY a.position, a.ordinal
  LIMIT 1
}
WITH e, key, surface, a.position AS position
ORDER BY a.position, a.ordinal
RETURN key, e.name AS name, e.name_position AS name_position,
  collect(surface)[0] AS surface, collect(position)[0] AS position
