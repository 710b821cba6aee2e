// The anchor look-up alone: the spans of a question, built as in the store's read, sought in the
// index of entities; no choice among them, no walk.
//
// $history  name of the history
// $text     the question's tokens in one text
// $starts   offset of each token in the text, in characters
// $stops    offset behind each token
// returns   keys
CYPHER 5
MATCH (h:History {name: $history})
USING INDEX h:History(name)
WITH h.longest_key AS longest, size($starts) AS size
UNWIND range(0, size - 1) AS start
UNWIND range(start, CASE WHEN start + longest < size THEN start + longest ELSE size END - 1) AS last
MATCH (a:Entity {history: $history, key: substring($text, $starts[start], $stops[last] - $starts[start])})
USING INDEX a:Entity(history, key)
RETURN collect(a.key) AS keys
