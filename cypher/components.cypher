// Which server this is.
//
// returns  version, edition
CYPHER 5
CALL dbms.components()
YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
