// Pieces that have all that ours have except a history, and stand at none: one row for each kind, and
// one for each record that is proven to be of this history.
//
// It is where this history has assertions without a record, all of them words of its text; no other
// history lacks such a record there, and no other record would do.
//
// $history  name of the history
// returns   what, label, position (of a record that is proven), elements (at most twenty), pieces
CYPHER 5
CALL () {
  MATCH (h:History)
  RETURN collect(h.name) AS named
}
CALL () {
  MATCH (p:Published)
  RETURN collect(p.history) AS published
}
CALL (named, published) {
  MATCH (n:Record)
  WHERE n.history IS NULL AND n.position IS :: INTEGER NOT NULL AND n.text IS :: STRING NOT NULL
    AND n.status IN ['facts', 'unresolved', 'no_fact']
  CALL (n, named, published) {
    UNWIND [$history] + named + published AS history
    WITH DISTINCT n, history
    MATCH ()-[a:ASSERTED {history: history, position: n.position}]->()
    USING INDEX SEEK a:ASSERTED(history, position, ordinal)
    WHERE a.ordinal >= 0 AND n.status = 'facts'
    WITH n, history,
      collect(coalesce(a.literal AND a.subject_text IS NOT NULL AND a.object_text IS NOT NULL, false)) AS literal,
      collect(coalesce(n.text CONTAINS a.subject_text AND n.text CONTAINS a.object_text, false)) AS said
    WHERE NOT EXISTS {
      MATCH (r:Record {history: history, position: n.position})
      USING INDEX SEEK r:Record(history, position)
    } AND none(i IN range(0, size(said) - 1) WHERE literal[i] AND NOT said[i])
    RETURN collect([history, all(i IN range(0, size(said) - 1) WHERE literal[i] AND said[i])]) AS fits
  }
  WITH n, size(fits) = 1 AND fits[0][0] = $history AND fits[0][1] AS is_ours
  WITH n.position AS position, collect(n) AS all_there, collect(CASE WHEN is_ours THEN n END) AS ours
  UNWIND all_there AS n
  RETURN ':Record' AS label, CASE WHEN ours = [n] THEN position END AS position, elementId(n) AS element
  UNION ALL
  MATCH (n:Relation)
  WHERE n.history IS NULL AND n.name IS :: STRING NOT NULL AND n.values IN ['one', 'many']
    AND n.set_by IN ['pack', 'person', 'frontend']
  RETURN ':Relation' AS label, null AS position, elementId(n) AS element
  UNION ALL
  MATCH (n:Entity)
  WHERE n.history IS NULL AND n.key IS :: STRING NOT NULL AND n.name_position IS :: INTEGER NOT NULL
    AND NOT EXISTS { (n)-[:ASSERTED]->() } AND NOT EXISTS { (n)<-[:ASSERTED]-() }
  RETURN ':Entity' AS label, null AS position, elementId(n) AS element
  UNION ALL
  MATCH (n:Pattern)
  WHERE n.history IS NULL AND n.template IS :: STRING NOT NULL AND n.support IS :: INTEGER NOT NULL
    AND n.answers IS :: INTEGER NOT NULL
  RETURN ':Pattern' AS label, null AS position, elementId(n) AS element
}
RETURN 'no-history' AS what, label, position, collect(element)[..20] AS elements, count(*) AS pieces
