// Says that a version of a history is written as a whole; run after the batch that made it is
// committed. Another writer may have announced or published a later one meanwhile.
//
// $history  name of the history
// $version  the version
// returns   nothing
CYPHER 5
MERGE (p:Published {history: $history})
SET p.version = CASE WHEN p.version > $version THEN p.version ELSE $version END,
  p.announced = CASE WHEN p.announced > $version THEN p.announced ELSE $version END
