// Pieces that have all that ours have except a history, and stand at none: one row for each kind, and
// one for each record that a history may lack.
//
// $history  name of the history
// returns   what, label, is_wanted (assertions of this history lack a record there), position,
//           elements (at most twenty), pieces
CYPHER 5
CALL () {
  MATCH (n:Record)
  WHERE n.history IS NULL AND n.position IS :: INTEGER NOT NULL AND n.text IS :: STRING NOT NULL
    AND n.status IN ['facts', 'unresolved', 'no_fact']
  WITH n, EXISTS {
    MATCH ()-[:ASSERTED {history: $history, position: n.position}]->()
  } AND NOT EXISTS {
    MATCH (:Record {history: $history, position: n.position})
  } AS is_wanted
  RETURN ':Record' AS label, is_wanted, CASE WHEN is_wanted THEN n.position END AS position,
    elementId(n) AS element
  UNION ALL
  MATCH (n:Relation)
  WHERE n.history IS NULL AND n.name IS :: STRING NOT NULL AND n.values IN ['one', 'many']
    AND n.set_by IN ['pack', 'person', 'frontend']
  RETURN ':Relation' AS label, false AS is_wanted, null AS position, elementId(n) AS element
  UNION ALL
  MATCH (n:Entity)
  WHERE n.history IS NULL AND n.key IS :: STRING NOT NULL AND n.name_position IS :: INTEGER NOT NULL
    AND NOT EXISTS { (n)-[:ASSERTED]->() } AND NOT EXISTS { (n)<-[:ASSERTED]-() }
  RETURN ':Entity' AS label, false AS is_wanted, null AS position, elementId(n) AS element
  UNION ALL
  MATCH (n:Pattern)
  WHERE n.history IS NULL AND n.template IS :: STRING NOT NULL AND n.support IS :: INTEGER NOT NULL
    AND n.answers IS :: INTEGER NOT NULL
  RETURN ':Pattern' AS label, false AS is_wanted, null AS position, elementId(n) AS element
}
RETURN 'no-history' AS what, label, is_wanted, position, collect(element)[..20] AS elements,
  count(*) AS pieces
