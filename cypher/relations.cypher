// The relations of a history, each with the number of its slots.
//
// $history  name of the history
// returns   name, values, set_by, slots, merged_into
CYPHER 5
CALL () {
  MATCH ()-[c:CURRENT {history: $history}]->()
  USING INDEX SEEK c:CURRENT(history, subject, relation, member)
  WHERE c.subject >= '' AND c.relation >= '' AND c.member >= ''
  RETURN c.relation AS name, count(*) AS slots
  UNION ALL
  MATCH ()-[e:ENDED {history: $history}]->()
  USING INDEX SEEK e:ENDED(history, subject, relation, member)
  WHERE e.subject >= '' AND e.relation >= '' AND e.member >= ''
  RETURN e.relation AS name, count(*) AS slots
  UNION ALL
  MATCH (r:Relation {history: $history})
  USING INDEX SEEK r:Relation(history, name)
  WHERE r.name >= ''
  RETURN r.name AS name, 0 AS slots
}
WITH name, sum(slots) AS slots
MATCH (r:Relation {history: $history, name: name})
USING INDEX SEEK r:Relation(history, name)
RETURN name, r.values AS values, r.set_by AS set_by, slots, r.merged_into AS merged_into
