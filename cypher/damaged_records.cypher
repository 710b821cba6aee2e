// The records of a history that lack something, or have something of another type.
//
// $history  name of the history
// returns   what, place, detail, position (where it is one), element, is_derived
CYPHER 5
MATCH (r:Record)
WHERE r.history = $history
WITH r, coalesce(r.position IS :: INTEGER NOT NULL AND r.position >= 0, false) AS is_placed
WITH r, is_placed, [each IN [
  ['position', is_placed],
  ['text', r.text IS :: STRING NOT NULL],
  ['status', coalesce(r.status IN ['facts', 'unresolved', 'no_fact'], false)]
] WHERE NOT each[1] | each[0]] AS wrong
UNWIND wrong AS detail
RETURN 'record' AS what, '[' + coalesce(toStringOrNull(r.position), '?') + ']' AS place, detail,
  CASE WHEN is_placed THEN r.position END AS position, elementId(r) AS element, false AS is_derived
