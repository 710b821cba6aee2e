// The relations of a history that lack something, have something that is no such value, or are not
// there although assertions are of them; and those merged into one that is not there, or is merged, or
// beside assertions of their own.
//
// How many values one takes follows from the members of its assertions, where they agree: then
// another number is wrong.
//
// $history  name of the history
// returns   what, place, detail, position (never one), element, is_derived
CYPHER 5
CALL () {
  MATCH ()-[a:ASSERTED]->(o)
  WHERE a.history = $history AND a.relation IS :: STRING NOT NULL
  RETURN a.relation AS name, null AS r,
    CASE WHEN a.member = '' THEN 'one' WHEN a.member = o.key THEN 'many' END AS values, true AS is_said
  UNION
  MATCH (r:Relation)
  WHERE r.history = $history
  RETURN r.name AS name, r, null AS values, false AS is_said
}
WITH name, collect(DISTINCT values) AS said, max(is_said) AS is_said, collect(r) AS nodes
UNWIND CASE WHEN nodes = [] THEN [null] ELSE nodes END AS r
WITH name, said, is_said, r, CASE WHEN r IS NULL THEN ['node'] ELSE [each IN [
  ['name', r.name IS :: STRING NOT NULL],
  ['values', coalesce(r.values IN ['one', 'many'], false) AND (size(said) <> 1 OR r.values = said[0])],
  ['set_by', coalesce(r.set_by IN ['pack', 'person', 'frontend'], false)],
  ['merged_into', r.merged_into IS NULL OR EXISTS {
    MATCH (root:Relation {history: $history, name: r.merged_into})
    WHERE root.merged_into IS NULL AND NOT is_said
  }]
] WHERE NOT each[1] | each[0]] END AS wrong
UNWIND wrong AS detail
RETURN 'relation' AS what, coalesce(toStringOrNull(name), '?') AS place, detail, null AS position,
  elementId(r) AS element, CASE detail
    WHEN 'set_by' THEN true
    WHEN 'merged_into' THEN NOT is_said AND EXISTS {
      MATCH ()-[a:ASSERTED {history: $history, relation: r.merged_into}]->()
      WHERE NOT EXISTS { (:Relation {history: $history, name: r.merged_into}) }
    }
    WHEN 'name' THEN false
    ELSE size(said) = 1
  END AS is_derived
