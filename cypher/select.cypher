// The read: longest-match anchors, the closure of their current edges, and the closure's records.
//
// An anchor is an entity that something is asserted of, so that it has a slot, whose key is a span of the question; a match
// strictly inside a longer match is dropped: per start only the longest one can stay, and it is
// inside an earlier one exactly when that one reaches as far.
//
// $history  name of the history
// $text     the question's tokens, one space between them
// $stops    for each token its offset in the text plus its length, in characters
// $width    how many tokens a span may have at most
// returns   version, version_after, anchors, records,
//           edges (a list for each column; an empty text or -1 where a property is missing),
//           members (of the edges of many-valued relations: position, ordinal, and whether the
//           member is missing), ended (of the retractions: position, ordinal, and whether it is
//           missing what they are), slots (how many current and ended edges there are)
CYPHER 5
MATCH (p:Published {history: $history})
USING INDEX SEEK p:Published(history)
WITH p.version AS version
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
CALL (h) {
  WITH h.longest_key AS longest, size($stops) AS size
  WITH longest, size, CASE WHEN longest < $width THEN longest ELSE $width END AS width
  UNWIND range(0, size - 1) AS start
  WITH longest, size, width, start, CASE WHEN start = 0 THEN 0 ELSE $stops[start - 1] + 1 END AS offset
  // Most runs of words begin no key: more than one token is sought only where the first two do.
  WITH longest, start, offset, CASE
    WHEN EXISTS {
      MATCH (e:Entity {history: $history})
      USING INDEX SEEK e:Entity(history, key)
      WHERE e.key STARTS WITH substring($text, offset, $stops[start + 1] - offset)
    } THEN CASE WHEN start + width < size THEN start + width ELSE size END
    ELSE start + 1
  END AS beyond
  UNWIND range(start, beyond - 1) AS last
  MATCH (a:Entity {history: $history, key: substring($text, offset, $stops[last] - offset)})
  USING INDEX SEEK a:Entity(history, key)
  WHERE EXISTS { (a)-[:ASSERTED]->() }
  WITH longest, a, start, last + 1 AS stop ORDER BY start, stop DESC
  WITH longest, start, collect({a: a, stop: stop})[0] AS hit ORDER BY start
  WITH longest, collect(hit) AS hits
  UNWIND range(0, size(hits) - 1) AS i
  WITH hits[i] AS hit, hits[CASE WHEN i > longest THEN i - longest ELSE 0 END..i] AS before
  WHERE none(b IN before WHERE b.stop >= hit.stop)
  RETURN collect(DISTINCT hit.a) AS anchors
}
CALL (anchors) {
  UNWIND anchors AS a
  MATCH (a)-[:CURRENT*0..4]->(n)
  WITH DISTINCT n
  WITH n, COUNT { (n)-[:CURRENT|ENDED]->() } AS slots
  RETURN collect(n) AS reached, sum(slots) AS slots,
    collect(slots = 0 OR COUNT { (n)-[:ASSERTED]->() } <= 4 * slots) AS short
}
CALL (reached, short) {
  UNWIND range(0, size(reached) - 1) AS i
  WITH reached[i] AS n, short[i] AS is_short
  CALL (n, is_short) {
    // A slot's last word is what nothing supersedes: found by expanding, unless most is superseded.
    WITH n, is_short
    WHERE is_short
    MATCH (n)-[v:ASSERTED]->(o)
    WHERE v.superseded_at IS NULL
    RETURN v, o
    UNION ALL
    WITH n, is_short
    WHERE NOT is_short
    MATCH (n)-[c:CURRENT|ENDED]->(o)
    WITH o, c.position AS position, c.ordinal AS ordinal
    MATCH ()-[v:ASSERTED {history: $history, position: position, ordinal: ordinal}]->()
    USING INDEX SEEK v:ASSERTED(history, position, ordinal)
    WHERE v.superseded_at IS NULL
    RETURN v, o
  }
  RETURN collect(DISTINCT v.position) AS positions, [
      collect(coalesce(v.subject_text, '')), collect(coalesce(v.relation, '')),
      collect(coalesce(v.object_text, '')), collect(coalesce(v.subject, '')), collect(coalesce(o.key, '')),
      collect(coalesce(v.position, -1)), collect(coalesce(v.ordinal, -1))
    ] AS edges,
    collect(CASE WHEN coalesce(v.member <> '', true) THEN [v.position, v.ordinal, v.member IS NULL] END)
      AS members,
    collect(CASE WHEN coalesce(v.retracts, true) THEN [v.position, v.ordinal, v.retracts IS NULL] END)
      AS ended
}
CALL (positions) {
  UNWIND positions AS position
  MATCH (r:Record {history: $history, position: position})
  USING INDEX SEEK r:Record(history, position)
  RETURN collect([
      r.position, r.text, r.status, r.reason, r.source, r.source_line, r.observed_at, r.speaker, r.session
    ]) AS records
}
CALL (records) {
  MATCH (now:Published {history: $history})
  USING INDEX SEEK now:Published(history)
  RETURN coalesce(now.announced, now.version) AS version_after
}
RETURN version, version_after, [a IN anchors | a.key] AS anchors,
  records, edges, members, ended, slots
