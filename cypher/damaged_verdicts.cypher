// Records whose verdict does not fit what they assert, or that lack one of their assertions; and
// records that are not there although assertions are of them.
//
// $history  name of the history
// returns   what, place, detail, position, element (never one), is_derived
CYPHER 5
CALL () {
  MATCH (r:Record {history: $history})
  USING INDEX SEEK r:Record(history, position)
  WHERE r.position >= 0
  WITH r, COLLECT {
    MATCH ()-[a:ASSERTED {history: $history, position: r.position}]->()
    USING INDEX SEEK a:ASSERTED(history, position, ordinal)
    WHERE a.ordinal >= 0
    RETURN a.ordinal
    ORDER BY a.ordinal
  } AS ordinals
  WHERE r.status IN ['facts', 'unresolved', 'no_fact']
  WITH r.position AS position, CASE
    WHEN (r.status = 'facts') <> (ordinals <> []) THEN
      ['verdict', 'status ' + r.status + ' and ' + toString(size(ordinals)) + ' assertions']
    WHEN ordinals <> [i IN range(0, size(ordinals) - 1)] THEN ['no-assertion', 'assertion']
  END AS wrong
  WHERE wrong IS NOT NULL
  RETURN wrong[0] AS what, wrong[1] AS detail, position
  UNION ALL
  MATCH ()-[a:ASSERTED {history: $history}]->()
  USING INDEX SEEK a:ASSERTED(history, position, ordinal)
  WHERE a.position >= 0 AND a.ordinal >= 0
  WITH DISTINCT a.position AS position
  WHERE NOT EXISTS {
    MATCH (r:Record {history: $history, position: position})
    USING INDEX SEEK r:Record(history, position)
  }
  RETURN 'no-record' AS what, 'record' AS detail, position
}
RETURN what, '[' + toString(position) + ']' AS place, detail, position, null AS element,
  false AS is_derived
