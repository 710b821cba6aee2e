// Which schema versions the database is marked with, and whether it holds histories.
//
// returns  versions, has_histories
CYPHER 5
OPTIONAL MATCH (s:Schema)
WITH collect(s.version) AS versions
RETURN versions, EXISTS { (:History) } AS has_histories
