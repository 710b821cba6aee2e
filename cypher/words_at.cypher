// The slots at some entities whose last word is of one of some records: for records whose assertions
// do not say any more which slot they are of.
//
// $history    name of the history
// $keys       keys of entities
// $positions  positions of records
// returns     subject, relation, member
CYPHER 5
UNWIND $keys AS key
MATCH (e:Entity {history: $history, key: key})
USING INDEX SEEK e:Entity(history, key)
CALL (e) {
  MATCH (e)-[c:CURRENT|ENDED]->()
  RETURN c
  UNION
  MATCH (e)<-[c:CURRENT|ENDED]-()
  RETURN c
}
WITH c
WHERE c.position IN $positions
RETURN DISTINCT c.subject AS subject, c.relation AS relation, c.member AS member
