// The assertions about some subjects, oldest first.
//
// $history   name of the history
// $subjects  their keys, each once
// $relation  name of a relation; null for all of them
// returns    version
CYPHER 5
UNWIND $subjects AS subject
MATCH ()-[a:ASSERTED {history: $history, subject: subject}]->(o)
USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
WHERE a.relation >= '' AND a.member >= '' AND a.position >= 0
  AND ($relation IS NULL OR a.relation = $relation)
WITH a, o
ORDER BY a.position, a.ordinal
RETURN [
  a.position, a.ordinal, a.subject, a.relation, o.key, a.member, a.retracts, a.superseded_at,
  a.subject_text, a.object_text, a.literal, a.frontend
] AS version
