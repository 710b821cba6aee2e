// The assertions of a history that lack something, or have something of another type; also those of
// no history between entities of this one.
//
// The history follows from the entities, the subject from the start, and the member from the
// relation and the end.
//
// $history  name of the history
// returns   what, place, detail, position (where it is one), element, is_derived
CYPHER 5
MATCH (s)-[a:ASSERTED]->(o)
WHERE a.history = $history OR a.history IS NULL AND s.history = $history AND o.history = $history
WITH s, a, o, coalesce(a.position IS :: INTEGER NOT NULL AND a.position >= 0, false) AS is_placed,
  coalesce(a.ordinal IS :: INTEGER NOT NULL AND a.ordinal >= 0, false) AS is_numbered
WITH s, a, o, is_placed, is_numbered, [each IN [
  ['history', a.history IS NOT NULL],
  ['position', is_placed],
  ['ordinal', is_numbered],
  ['subject', a.subject IS :: STRING NOT NULL
    AND CASE WHEN s.key IS :: STRING NOT NULL THEN a.subject = s.key ELSE true END],
  ['relation', a.relation IS :: STRING NOT NULL],
  ['member', a.member IS :: STRING NOT NULL],
  ['retracts', a.retracts IS :: BOOLEAN NOT NULL],
  ['subject_text', a.subject_text IS :: STRING NOT NULL],
  ['object_text', a.object_text IS :: STRING NOT NULL],
  ['literal', a.literal IS :: BOOLEAN NOT NULL],
  ['frontend', a.frontend IS :: STRING NOT NULL]
] WHERE NOT each[1] | each[0]] AS wrong
UNWIND wrong AS detail
RETURN 'assertion' AS what, '[' + coalesce(toStringOrNull(a.position), '?') + '].'
    + coalesce(toStringOrNull(a.ordinal), '?') AS place, detail,
  CASE WHEN is_placed AND is_numbered AND a.history IS NOT NULL THEN a.position END AS position,
  elementId(a) AS element, CASE detail
    WHEN 'history' THEN NOT EXISTS {
      MATCH ()-[other:ASSERTED {history: $history, position: a.position, ordinal: a.ordinal}]->()
    }
    WHEN 'subject' THEN s.key IS :: STRING NOT NULL
    WHEN 'member' THEN EXISTS {
      MATCH (r:Relation {history: $history, name: a.relation})
      WHERE r.values = 'one' OR r.values = 'many' AND o.key IS :: STRING NOT NULL
    } OR EXISTS {
      MATCH ()-[other:ASSERTED {history: $history, relation: a.relation}]->()
      WHERE other.member IS :: STRING NOT NULL
    }
    ELSE false
  END AS is_derived
