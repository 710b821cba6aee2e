// The current and ended edges at entities of a history that lack something, have something of another
// type, lead out of the history, or are one of several of their slot. All of them are derived.
//
// $history  name of the history
// returns   what, place, detail, position (never one), element, is_derived
CYPHER 5
CALL () {
  MATCH (s:Entity)-[c:CURRENT|ENDED]->(o:Entity)
  WHERE (s.history = $history OR o.history = $history)
    AND (coalesce(c.history = $history, true) OR s.history = o.history)
  WITH c, [each IN [
    ['history', coalesce(c.history = $history AND s.history = $history AND o.history = $history, false)],
    ['subject', c.subject IS :: STRING NOT NULL],
    ['relation', c.relation IS :: STRING NOT NULL],
    ['member', c.member IS :: STRING NOT NULL],
    ['position', c.position IS :: INTEGER NOT NULL],
    ['ordinal', c.ordinal IS :: INTEGER NOT NULL]
  ] WHERE NOT each[1] | each[0]] AS wrong
  UNWIND wrong AS detail
  RETURN 'edge' AS what, c, detail
  UNION ALL
  MATCH (s:Entity)-[c:CURRENT|ENDED]->(o:Entity)
  WHERE c.history = $history AND (s.history = $history OR o.history = $history)
    AND c.subject IS NOT NULL AND c.relation IS NOT NULL AND c.member IS NOT NULL
  WITH c.subject AS subject, c.relation AS relation, c.member AS member, collect(c) AS edges
  WHERE size(edges) > 1
  UNWIND edges AS c
  RETURN 'slot' AS what, c, toString(size(edges)) AS detail
}
RETURN what, coalesce(toStringOrNull(c.subject), '?') + ' / '
    + coalesce(toStringOrNull(c.relation), '?') AS place, detail, null AS position,
  elementId(c) AS element, true AS is_derived
