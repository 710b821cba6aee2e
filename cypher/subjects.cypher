// The keys that begin with one of a long question's tokens and are subjects of an edge as of a
// position; the client keeps the longest matches among them.
//
// $history  name of the history
// $tokens   the question's tokens, each once
// $as_of    the position; the greatest one for now
// returns   version, version_after, keys
CYPHER 5
MATCH (p:Published {history: $history})
USING INDEX SEEK p:Published(history)
WITH p.version AS version
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
CALL (h) {
  CALL (h) {
    UNWIND $tokens AS token
    MATCH (e:Entity {history: $history, key: token})
    USING INDEX SEEK e:Entity(history, key)
    RETURN e
    UNION ALL
    UNWIND $tokens AS token
    MATCH (e:Entity {history: $history})
    USING INDEX SEEK e:Entity(history, key)
    WHERE e.key STARTS WITH token + ' '
    RETURN e
  }
  WITH e
  WHERE EXISTS {
    MATCH (e)-[v:ASSERTED]->()
    WHERE v.position <= $as_of AND coalesce(v.superseded_at, $as_of + 1) > $as_of
  }
  RETURN collect(e.key) AS keys
}
CALL (keys) {
  MATCH (now:Published {history: $history})
  USING INDEX SEEK now:Published(history)
  RETURN coalesce(now.announced, now.version) AS version_after
}
RETURN version, version_after, keys
