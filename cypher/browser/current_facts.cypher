// Current facts of X
//
// What holds now of one subject, and what was said to hold no longer.
//
// :param history => 'default'
// :param entity => 'ilse brandt'
// $entity   key of the subject: its name in lower case, without a leading article
// returns   subject, edge (blue holds, red ended), object, position, record
CYPHER 5
MATCH (s:Entity {history: $history, key: toLower($entity)})
USING INDEX SEEK s:Entity(history, key)
MATCH (s)-[edge:CURRENT|ENDED]->(o)
OPTIONAL MATCH (r:Record {history: $history, position: edge.position})
USING INDEX SEEK r:Record(history, position)
RETURN s AS subject, edge, o AS object, edge.position AS position, r.text AS record
ORDER BY edge.relation, position
