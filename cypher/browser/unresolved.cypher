// Unresolved records
//
// What no frontend could read, newest first. Every read shows them beside its closure.
//
// :param history => 'default'
// returns   record, position, reason
CYPHER 5
MATCH (r:Record {history: $history, status: 'unresolved'})
USING INDEX SEEK r:Record(history, status, position)
WHERE r.position >= 0
RETURN r AS record, r.position AS position, r.reason AS reason
ORDER BY position DESC
LIMIT 200
