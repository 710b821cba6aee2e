// The records a history holds of some lines of sources; of several of one line the oldest.
//
// $history  name of the history
// $sources  names of sources
// $lines    line numbers, one for each of the sources
// returns   source, line, position, text
CYPHER 5
UNWIND range(0, size($sources) - 1) AS i
WITH $sources[i] AS source, $lines[i] AS line
MATCH (r:Record {history: $history, source: source, source_line: line})
USING INDEX SEEK r:Record(history, source, source_line)
WITH source, line, r
ORDER BY r.position
WITH source, line, collect(r)[0] AS r
RETURN source, line, r.position AS position, r.text AS text
