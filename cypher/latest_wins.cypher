// Latest wins: derives the last word of slots, and where each of their assertions ends.
//
// An assertion always has effect; a retraction only if the slot is empty or its last word is an
// assertion of the same object. From a slot's edge on, the versions are resolved anew; the whole
// slot only if it changed before its edge. A slot without assertions loses its edge. What is right
// already is not written again.
//
// $history    name of the history
// $subjects, $relations, $members   one value for each slot, each slot once
// $firsts     for each slot the smallest position that changed; -1 resolves the whole slot
// returns     slots, changed
CYPHER 5
UNWIND range(0, size($subjects) - 1) AS i
WITH $subjects[i] AS subject, $relations[i] AS relation, $members[i] AS member, $firsts[i] AS first
OPTIONAL MATCH ()-[c:CURRENT {history: $history, subject: subject, relation: relation, member: member}]->()
USING INDEX SEEK c:CURRENT(history, subject, relation, member)
OPTIONAL MATCH ()-[e:ENDED {history: $history, subject: subject, relation: relation, member: member}]->()
USING INDEX SEEK e:ENDED(history, subject, relation, member)
WITH subject, relation, member, first, c, e, coalesce(c, e) AS edge
WITH subject, relation, member, c, e, edge.ordinal AS ordinal,
  CASE WHEN first > edge.position THEN edge.position ELSE -1 END AS since
CALL (subject, relation, member, since, ordinal) {
  MATCH ()-[v:ASSERTED {history: $history, subject: subject, relation: relation, member: member}]->()
  USING INDEX SEEK v:ASSERTED(history, subject, relation, member, position)
  WHERE v.position >= since AND (v.position > since OR v.ordinal >= ordinal)
  WITH v ORDER BY v.position, v.ordinal
  RETURN collect(v) AS versions
}
// Values always have effect; what stands first has, too. Between two of them stand retractions.
WITH subject, relation, member, c, e, versions,
  [i IN range(0, size(versions) - 1) WHERE i = 0 OR NOT versions[i].retracts] AS starts
UNWIND CASE WHEN starts = [] THEN [null] ELSE range(0, size(starts) - 1) END AS j
WITH subject, relation, member, c, e, versions, starts[j] AS start, coalesce(starts[j + 1], size(versions)) AS stop
WITH subject, relation, member, c, e,
  versions[start] AS value, versions[start + 1..stop] AS retractions, versions[stop] AS next
WITH subject, relation, member, c, e, value, retractions, next,
  head([r IN retractions WHERE NOT value.retracts AND endNode(r) = endNode(value)]) AS ending
WITH subject, relation, member, c, e, value, ending, next,
  [{of: value, until: coalesce(ending, next).position}, {of: ending, until: next.position}]
    + [r IN retractions WHERE coalesce(r <> ending, true) | {of: r, until: r.position}] AS ends
FOREACH (x IN [x IN ends WHERE coalesce(x.of.superseded_at, -1) <> coalesce(x.until, -1)] |
  SET (x.of).superseded_at = x.until)
// The last word of each slot; null for a slot without versions.
WITH subject, relation, member, c, e, coalesce(ending, value) AS word, next
WHERE next IS NULL
WITH subject, relation, member, word, startNode(word) AS s, endNode(word) AS o,
  CASE WHEN word.retracts THEN e ELSE c END AS held, CASE WHEN word.retracts THEN c ELSE e END AS stale
WITH subject, relation, member, word, s, o, held, stale, coalesce(
  held.position = word.position AND held.ordinal = word.ordinal AND startNode(held) = s AND endNode(held) = o,
  false
) AS kept
FOREACH (x IN CASE WHEN kept THEN [stale] ELSE [stale, held] END | DELETE x)
FOREACH (x IN CASE WHEN kept OR coalesce(word.retracts, true) THEN [] ELSE [word] END |
  CREATE (s)-[:CURRENT {
    history: $history, subject: subject, relation: relation, member: member,
    position: x.position, ordinal: x.ordinal
  }]->(o))
FOREACH (x IN CASE WHEN NOT kept AND word.retracts THEN [word] ELSE [] END |
  CREATE (s)-[:ENDED {
    history: $history, subject: subject, relation: relation, member: member,
    position: x.position, ordinal: x.ordinal
  }]->(o))
RETURN count(*) AS slots, sum(CASE WHEN kept AND stale IS NULL THEN 0 ELSE 1 END) AS changed
