// Says which version of a history is written as a whole, whatever was said of it before; run under the
// history's lock, where no batch is being committed.
//
// $history  name of the history
// $version  the version
// returns   nothing
CYPHER 5
MERGE (p:Published {history: $history})
SET p.version = $version, p.announced = $version
