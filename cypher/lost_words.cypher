// The slots whose last word is lost, as the projection or the ends of older versions remember it: no
// assertion is where the edge says, or every version of the slot ends and nothing of the subject and
// relation, in whatever slot, is at its last end; or an end is where a record is that says nothing of
// subject and relation.
//
// $history  name of the history
// returns   slot (readable), position (of the last word), has_record
CYPHER 5
CALL () {
  CALL () {
    MATCH ()-[c:CURRENT {history: $history}]->()
    USING INDEX SEEK c:CURRENT(history, subject, relation, member)
    WHERE c.subject >= '' AND c.relation >= '' AND c.member >= ''
    RETURN c
    UNION ALL
    MATCH ()-[e:ENDED {history: $history}]->()
    USING INDEX SEEK e:ENDED(history, subject, relation, member)
    WHERE e.subject >= '' AND e.relation >= '' AND e.member >= ''
    RETURN e AS c
  }
  WITH c.subject AS subject, c.relation AS relation, c.position AS position, c.ordinal AS ordinal
  WHERE position >= 0 AND NOT EXISTS {
    MATCH ()-[a:ASSERTED {history: $history, position: position, ordinal: ordinal}]->()
    USING INDEX SEEK a:ASSERTED(history, position, ordinal)
  }
  RETURN subject, relation, position
  UNION
  MATCH ()-[a:ASSERTED {history: $history}]->()
  USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
  WHERE a.subject >= '' AND a.relation >= '' AND a.member >= '' AND a.position >= 0
  WITH a.subject AS subject, a.relation AS relation, a.member AS member, max(a.position) AS last,
    max(a.superseded_at) AS position, count(*) = count(a.superseded_at) AS all_end
  WHERE all_end AND position > last AND NOT EXISTS {
    MATCH ()-[b:ASSERTED {history: $history, position: position}]->()
    USING INDEX SEEK b:ASSERTED(history, position, ordinal)
    WHERE b.ordinal >= 0 AND b.subject = subject AND b.relation = relation
  }
  RETURN subject, relation, position
  UNION
  MATCH ()-[a:ASSERTED {history: $history}]->()
  USING INDEX SEEK a:ASSERTED(history, subject, relation, member, position)
  WHERE a.subject >= '' AND a.relation >= '' AND a.member >= '' AND a.position >= 0
    AND a.superseded_at > a.position
  WITH a.subject AS subject, a.relation AS relation, a.superseded_at AS position
  WHERE EXISTS {
    MATCH (r:Record {history: $history, position: position})
    USING INDEX SEEK r:Record(history, position)
  } AND NOT EXISTS {
    MATCH ()-[b:ASSERTED {history: $history, position: position}]->()
    USING INDEX SEEK b:ASSERTED(history, position, ordinal)
    WHERE b.ordinal >= 0 AND b.subject = subject AND b.relation = relation
  }
  RETURN subject, relation, position
}
RETURN subject + ' / ' + relation AS slot, position, EXISTS {
  MATCH (r:Record {history: $history, position: position})
  USING INDEX SEEK r:Record(history, position)
} AS has_record
ORDER BY position, slot
