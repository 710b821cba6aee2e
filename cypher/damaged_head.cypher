// What a history with records lacks of its own node, and of the mark that readers go by.
//
// $history  name of the history
// returns   what, place, detail, position (never one), element (never one), is_derived
CYPHER 5
OPTIONAL MATCH (h:History {name: $history})
OPTIONAL MATCH (p:Published {history: $history})
WITH h, p
WHERE EXISTS { (:Record {history: $history}) }
WITH [each IN [
  ['version', h.version IS :: INTEGER NOT NULL],
  ['records', h.records IS :: INTEGER NOT NULL],
  ['next_position', h.next_position IS :: INTEGER NOT NULL],
  ['longest_key', h.longest_key IS :: INTEGER NOT NULL],
  ['batches', h.batches IS :: LIST<INTEGER NOT NULL> NOT NULL],
  ['published version', p.version IS :: INTEGER NOT NULL AND coalesce(p.version <= h.version, true)]
] WHERE NOT each[1] | each[0]] AS wrong
UNWIND wrong AS detail
RETURN 'history' AS what, $history AS place, detail, null AS position, null AS element,
  true AS is_derived
