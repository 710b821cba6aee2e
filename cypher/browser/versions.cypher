// Versions of X's relation
//
// Everything that was ever said of one subject in one relation, oldest first.
//
// :param history => 'default'
// :param entity => 'billing service'
// :param relation => 'status'
// $entity    key of the subject: its name in lower case, without a leading article
// $relation  name of the relation, as cmc-graph relations lists it
// returns    subject, version (grey), object, position, superseded_at (empty: it holds), record
CYPHER 5
MATCH (s)-[version:ASSERTED {history: $history, subject: toLower($entity), relation: $relation}]->(o)
USING INDEX SEEK version:ASSERTED(history, subject, relation, member, position)
WHERE version.member >= '' AND version.position >= 0
OPTIONAL MATCH (r:Record {history: $history, position: version.position})
USING INDEX SEEK r:Record(history, position)
RETURN s AS subject, version, o AS object, version.position AS position,
  version.superseded_at AS superseded_at, r.text AS record
ORDER BY position, version.ordinal
