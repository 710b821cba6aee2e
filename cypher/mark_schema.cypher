// Marks the database with the schema version; the last step of preparing it.
//
// $version  the schema version
// returns   nothing
CYPHER 5
MERGE (:Schema {version: $version})
