// Says that a version of a history is written as a whole; run after the batch that made it is
// committed, or under the history's lock.
//
// A transaction becomes visible piece by piece. What a reader found is whole if the version that was
// published before is still the version of the history after.
//
// $history  name of the history
// $version  the version
// returns   nothing
CYPHER 5
MERGE (p:Published {history: $history})
SET p.version = $version
