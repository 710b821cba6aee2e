// The patterns kept with a history, in their order.
//
// $history  name of the history
// returns   template, relation, support, answers
CYPHER 5
MATCH (p:Pattern {history: $history})
USING INDEX SEEK p:Pattern(history, number)
WHERE p.number >= 0
WITH p
ORDER BY p.number
RETURN p.template AS template, p.relation AS relation, p.support AS support, p.answers AS answers
