// Drift of the projection
//
// Where (:ASSERTED), the ledger, and (:CURRENT) or (:ENDED), the projection, disagree; no rows when
// they agree. cmc-graph doctor checks more, and names the command that repairs it.
//
// :param history => 'default'
// returns   finding, subject, edge, object, relation, position
CYPHER 5
CALL () {
  MATCH (s)-[edge:ASSERTED {history: $history}]->(o)
  USING INDEX SEEK edge:ASSERTED(history, position, ordinal)
  WHERE edge.position >= 0 AND edge.ordinal >= 0 AND edge.superseded_at IS NULL
    AND NOT EXISTS {
      MATCH (s)-[c:CURRENT|ENDED]->(o)
      WHERE c.position = edge.position AND c.ordinal = edge.ordinal
        AND c.relation = edge.relation AND c.member = edge.member AND (c:ENDED) = edge.retracts
    }
  RETURN 'a last word without its edge' AS finding, s, edge, o
  UNION ALL
  MATCH (s:Entity {history: $history})-[edge:CURRENT|ENDED]->(o)
  WHERE NOT EXISTS {
      MATCH (s)-[a:ASSERTED]->(o)
      WHERE a.position = edge.position AND a.ordinal = edge.ordinal AND a.superseded_at IS NULL
        AND a.relation = edge.relation AND a.member = edge.member AND a.retracts = (edge:ENDED)
    }
  RETURN 'an edge without its last word' AS finding, s, edge, o
  UNION ALL
  MATCH (s)-[edge:ASSERTED {history: $history}]->(o)
  USING INDEX SEEK edge:ASSERTED(history, position, ordinal)
  WHERE edge.position >= 0 AND edge.ordinal >= 0 AND edge.superseded_at <> edge.position
    AND NOT EXISTS {
      MATCH (s)-[next:ASSERTED]->()
      WHERE next.position = edge.superseded_at
        AND next.relation = edge.relation AND next.member = edge.member
    }
  RETURN 'a version that ends where nothing took its slot' AS finding, s, edge, o
}
RETURN finding, s AS subject, edge, o AS object, edge.relation AS relation, edge.position AS position
ORDER BY position, finding
