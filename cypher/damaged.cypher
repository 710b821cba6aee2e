// What is wrong with the pieces of a history themselves: properties that are missing, slots with more
// than one edge, and counters of the history. Looks at everything, since no index holds what lacks a property; a piece without
// a history is told for every history.
//
// $history  name of the history
// returns   what, place, detail
CYPHER 5
CALL () {
  MATCH (r:Record)
  WHERE coalesce(r.history, $history) = $history
  UNWIND [
    ['history', r.history IS NULL], ['position', r.position IS NULL], ['text', r.text IS NULL],
    ['status', r.status IS NULL]
  ] AS lack
  WITH r, lack
  WHERE lack[1]
  RETURN 'record' AS what, '[' + coalesce(toString(r.position), '?') + ']' AS place, lack[0] AS detail
  UNION ALL
  MATCH (e:Entity)
  WHERE coalesce(e.history, $history) = $history
  UNWIND [
    ['history', e.history IS NULL], ['key', e.key IS NULL], ['name', e.name IS NULL],
    ['name_position', e.name_position IS NULL]
  ] AS lack
  WITH e, lack
  WHERE lack[1]
  RETURN 'entity' AS what, coalesce(e.key, e.name, '?') AS place, lack[0] AS detail
  UNION ALL
  MATCH ()-[a:ASSERTED]->()
  WHERE coalesce(a.history, $history) = $history
  UNWIND [
    ['history', a.history IS NULL], ['position', a.position IS NULL], ['ordinal', a.ordinal IS NULL],
    ['subject', a.subject IS NULL], ['relation', a.relation IS NULL], ['member', a.member IS NULL],
    ['retracts', a.retracts IS NULL], ['subject_text', a.subject_text IS NULL],
    ['object_text', a.object_text IS NULL], ['literal', a.literal IS NULL],
    ['frontend', a.frontend IS NULL]
  ] AS lack
  WITH a, lack
  WHERE lack[1]
  RETURN 'assertion' AS what, '[' + coalesce(toString(a.position), '?') + '].'
    + coalesce(toString(a.ordinal), '?') AS place, lack[0] AS detail
  UNION ALL
  MATCH ()-[c:CURRENT|ENDED]->()
  WHERE coalesce(c.history, $history) = $history
  UNWIND [
    ['history', c.history IS NULL], ['subject', c.subject IS NULL], ['relation', c.relation IS NULL],
    ['member', c.member IS NULL], ['position', c.position IS NULL], ['ordinal', c.ordinal IS NULL]
  ] AS lack
  WITH c, lack
  WHERE lack[1]
  RETURN 'edge' AS what, coalesce(c.subject, '?') + ' / ' + coalesce(c.relation, '?') AS place,
    lack[0] AS detail
  UNION ALL
  MATCH ()-[c:CURRENT|ENDED]->()
  WHERE c.history = $history
  WITH c.subject AS subject, c.relation AS relation, c.member AS member, count(*) AS edges
  WHERE edges > 1
  RETURN 'slot' AS what, coalesce(subject, '?') + ' / ' + coalesce(relation, '?') AS place,
    toString(edges) AS detail
  UNION ALL
  OPTIONAL MATCH (h:History {name: $history})
  OPTIONAL MATCH (p:Published {history: $history})
  WITH h, p
  WHERE EXISTS { (:Record {history: $history}) }
  UNWIND [
    ['version', h.version IS NULL], ['records', h.records IS NULL],
    ['next_position', h.next_position IS NULL], ['longest_key', h.longest_key IS NULL],
    ['batches', h.batches IS NULL],
    ['published version', coalesce(p.version > h.version, p.version IS NULL)]
  ] AS lack
  WITH lack
  WHERE lack[1]
  RETURN 'history' AS what, $history AS place, lack[0] AS detail
}
RETURN what, place, detail
LIMIT 1000
