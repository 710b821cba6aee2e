// Deletes all patterns kept with a history.
//
// $history  name of the history
// returns   nothing
CYPHER 5
MATCH (p:Pattern {history: $history})
USING INDEX SEEK p:Pattern(history, number)
WHERE p.number >= 0
DELETE p
