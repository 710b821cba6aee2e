// Positions with more than one record; only where the constraint that forbids it was dropped.
//
// $history  name of the history
// returns   what, place, detail, position, element (of one of them), is_derived
CYPHER 5
MATCH (r:Record)
WHERE r.history = $history AND r.position IS NOT NULL
WITH r.position AS place, count(*) AS records, max(elementId(r)) AS element
WHERE records > 1
RETURN 'position' AS what, '[' + coalesce(toStringOrNull(place), '?') + ']' AS place,
  toString(records) AS detail, null AS position, element, false AS is_derived
