// Assertions that do not fit what stands beside them: another member than the relation's number of
// values asks for, another subject than the start, or no record.
//
// $history  name of the history
// returns   kind, subject, relation, position, ordinal, expected, found
CYPHER 5
MATCH (s)-[a:ASSERTED {history: $history}]->(o)
USING INDEX SEEK a:ASSERTED(history, position, ordinal)
WHERE a.position >= 0 AND a.ordinal >= 0
OPTIONAL MATCH (r:Relation {history: $history, name: a.relation})
USING INDEX SEEK r:Relation(history, name)
WITH a, s, CASE r.values WHEN 'many' THEN o.key ELSE '' END AS member, EXISTS {
  MATCH (n:Record {history: $history, position: a.position})
  USING INDEX SEEK n:Record(history, position)
} AS has_record
UNWIND [
  ['wrong', 'member ' + member, 'member ' + a.member],
  ['wrong', 'subject ' + s.key, 'subject ' + a.subject],
  ['record', 'a record', CASE WHEN has_record THEN 'a record' ELSE 'no record' END]
] AS fit
WITH a, fit
WHERE fit[1] <> fit[2]
RETURN fit[0] AS kind, a.subject AS subject, a.relation AS relation, a.position AS position, a.ordinal AS ordinal,
  fit[1] AS expected, fit[2] AS found
