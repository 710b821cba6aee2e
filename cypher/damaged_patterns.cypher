// The patterns kept with a history that lack something, or have something of another type.
//
// $history  name of the history
// returns   what, place, detail, position (never one), element, is_derived
CYPHER 5
MATCH (p:Pattern)
WHERE p.history = $history
WITH p, [each IN [
  ['number', coalesce(p.number IS :: INTEGER NOT NULL AND p.number >= 0, false)],
  ['template', p.template IS :: STRING NOT NULL],
  ['relation', p.relation IS :: STRING NOT NULL],
  ['support', p.support IS :: INTEGER NOT NULL],
  ['answers', p.answers IS :: INTEGER NOT NULL]
] WHERE NOT each[1] | each[0]] AS wrong
UNWIND wrong AS detail
RETURN 'pattern' AS what, coalesce(toStringOrNull(p.template), '?') AS place, detail, null AS position,
  elementId(p) AS element, false AS is_derived
