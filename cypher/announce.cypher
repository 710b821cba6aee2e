// Says that the batch which makes a version of a history is about to be committed; run in a
// transaction of its own, right before.
//
// A transaction becomes visible piece by piece, in an order of the server's own. Whoever reads while a
// version is announced that is not published may see some of the pieces, and reads again.
//
// $history  name of the history
// $version  the version
// returns   nothing
CYPHER 5
MATCH (p:Published {history: $history})
USING INDEX SEEK p:Published(history)
SET p.announced = $version
