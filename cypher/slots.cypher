// Every slot of the ledger.
//
// $history  name of the history
// returns   subject, relation, member
CYPHER 5
MATCH ()-[a:ASSERTED {history: $history}]->()
USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
WHERE a.subject >= '' AND a.relation >= '' AND a.member >= '' AND a.position >= 0
WITH a
ORDER BY a.history, a.subject, a.relation, a.member, a.position
RETURN DISTINCT a.subject AS subject, a.relation AS relation, a.member AS member
