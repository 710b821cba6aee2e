// Counts of one history. Assertions are counted at their subjects: also those that lack what an index
// finds them by.
//
// $history  name of the history
// returns   records, facts, unresolved, no_fact, assertions, current, ended, superseded,
//           slots_overwritten, subjects, entities, version
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
CALL (h) {
  MATCH (r:Record {history: $history})
  USING INDEX SEEK r:Record(history, status, position)
  WHERE r.status >= '' AND r.position >= 0
  RETURN count(*) AS records,
    sum(CASE r.status WHEN 'facts' THEN 1 ELSE 0 END) AS facts,
    sum(CASE r.status WHEN 'unresolved' THEN 1 ELSE 0 END) AS unresolved,
    sum(CASE r.status WHEN 'no_fact' THEN 1 ELSE 0 END) AS no_fact
}
CALL (h) {
  MATCH ()-[a:ASSERTED {history: $history}]->()
  USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
  WHERE a.subject >= '' AND a.relation >= '' AND a.member >= '' AND a.position >= 0
  WITH a.subject AS subject, a.relation AS relation, a.member AS member, count(*) AS versions
  RETURN sum(CASE WHEN versions > 1 THEN 1 ELSE 0 END) AS slots_overwritten
}
CALL (h) {
  CALL (h) {
    MATCH ()-[c:CURRENT {history: $history}]->()
    USING INDEX SEEK c:CURRENT(history, subject, relation, member)
    WHERE c.subject >= '' AND c.relation >= '' AND c.member >= ''
    RETURN c.subject AS subject, 1 AS current, 0 AS ended
    UNION ALL
    MATCH ()-[e:ENDED {history: $history}]->()
    USING INDEX SEEK e:ENDED(history, subject, relation, member)
    WHERE e.subject >= '' AND e.relation >= '' AND e.member >= ''
    RETURN e.subject AS subject, 0 AS current, 1 AS ended
  }
  RETURN coalesce(sum(current), 0) AS current, coalesce(sum(ended), 0) AS ended,
    count(DISTINCT subject) AS subjects
}
CALL (h) {
  MATCH (e:Entity {history: $history})
  USING INDEX SEEK e:Entity(history, key)
  WHERE e.key >= ''
  RETURN count(*) AS entities, sum(COUNT { (e)-[:ASSERTED]->() }) AS assertions
}
RETURN records, facts, unresolved, no_fact, assertions, current, ended,
  assertions - current - ended AS superseded, slots_overwritten, subjects, entities,
  h.version AS version
