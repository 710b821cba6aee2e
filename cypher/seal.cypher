// Sets a history's counters after a batch and remembers the batch, so that it is known again when
// the answer to its commit is lost.
//
// $history        name of the history
// $version        the new version
// $records        number of records
// $next_position  first position after the greatest one
// $longest_key    tokens of the longest key
// $batches        marks of the latest batches, newest first
// returns         nothing
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
SET h.version = $version, h.records = $records, h.next_position = $next_position,
  h.longest_key = $longest_key, h.batches = $batches
