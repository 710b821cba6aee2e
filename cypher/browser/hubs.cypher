// Hubs
//
// The five entities with the most current edges, each with its newest 25.
//
// :param history => 'default'
// returns   hub, incoming, outgoing (how many current edges), edges, others
CYPHER 5
MATCH (e:Entity {history: $history})
USING INDEX SEEK e:Entity(history, key)
WHERE e.key >= ''
WITH e, COUNT { (e)<-[:CURRENT]-() } AS incoming, COUNT { (e)-[:CURRENT]->() } AS outgoing
WHERE incoming + outgoing > 0
ORDER BY incoming + outgoing DESC, e.key
LIMIT 5
CALL (e) {
  MATCH (e)-[edge:CURRENT]-(other)
  WITH edge, other
  ORDER BY edge.position DESC, edge.ordinal DESC
  LIMIT 25
  RETURN collect(edge) AS edges, collect(other) AS others
}
RETURN e AS hub, incoming, outgoing, edges, others
ORDER BY incoming + outgoing DESC, hub.key
