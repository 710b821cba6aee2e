// All histories, and the versions that are published and announced of them.
//
// returns  name, version, records, published, announced
CYPHER 5
MATCH (h:History)
OPTIONAL MATCH (p:Published {history: h.name})
USING INDEX SEEK p:Published(history)
RETURN h.name AS name, h.version AS version, h.records AS records, p.version AS published,
  coalesce(p.announced, p.version) AS announced
