// What superseded what
//
// After one position up to another: what was replaced or ended, and what took its place.
//
// :param history => 'default'
// :param after => 145
// :param upto => 155
// returns   subject, old, was, new, now, position, old_record, new_record
CYPHER 5
MATCH (s)-[new:ASSERTED {history: $history}]->(now)
USING INDEX SEEK new:ASSERTED(history, position, ordinal)
WHERE new.position > $after AND new.position <= $upto AND new.ordinal >= 0
CALL (new) {
  WITH new, new.subject AS subject, new.relation AS relation, new.member AS member,
    new.position AS position
  WHERE coalesce(new.superseded_at, position + 1) > position
  MATCH ()-[old:ASSERTED {history: $history, subject: subject, relation: relation, member: member}]->(was)
  USING INDEX SEEK old:ASSERTED(history, subject, relation, member, position)
  WHERE old.position < position AND old.superseded_at = position
  RETURN old, was
}
OPTIONAL MATCH (r:Record {history: $history, position: old.position})
USING INDEX SEEK r:Record(history, position)
OPTIONAL MATCH (n:Record {history: $history, position: new.position})
USING INDEX SEEK n:Record(history, position)
RETURN s AS subject, old, was, new, now, new.position AS position,
  r.text AS old_record, n.text AS new_record
ORDER BY position, new.ordinal
