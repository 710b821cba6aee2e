// Closure of a question
//
// The closure of a question's anchors to depth 5: the longest names in the question, and all that
// current edges lead to from there; an ended edge is shown, nothing is walked through it. Words are
// cut by the signs listed here; cmc-graph read knows more scripts and signs.
//
// :param history => 'default'
// :param question => 'On which floor is the weekly meeting?'
// returns   subject, edge (blue holds, red ended), object, anchor (whether the question names the
//           subject), position, record
CYPHER 5
WITH reduce(text = replace(toLower($question), '’', "'") + ' ',
  sign IN ["'s ", "'", '"', '?', '!', '.', ',', ';', ':', '(', ')', '[', ']', '/', '-', '_'] |
  replace(text, sign, ' ')) AS text
WITH [word IN split(text, ' ') WHERE word <> ''] AS words
MATCH (h:History {name: $history})
USING INDEX SEEK h:History(name)
UNWIND range(0, size(words) - 1) AS start
UNWIND range(start + 1, start + h.longest_key) AS stop
WITH words, start, stop WHERE stop <= size(words)
WITH start, stop, substring(reduce(span = '', word IN words[start..stop] | span + ' ' + word), 1) AS span
MATCH (a:Entity {history: $history, key: span})
USING INDEX SEEK a:Entity(history, key)
WHERE EXISTS { (a)-[:CURRENT|ENDED]->() }
WITH collect({entity: a, start: start, stop: stop}) AS hits
WITH [hit IN hits WHERE none(other IN hits WHERE other.start <= hit.start AND other.stop >= hit.stop
  AND other.stop - other.start > hit.stop - hit.start) | hit.entity] AS anchors
UNWIND anchors AS a
MATCH (a)-[:CURRENT*0..4]->(n)
WITH DISTINCT anchors, n
MATCH (n)-[edge:CURRENT|ENDED]->(o)
OPTIONAL MATCH (r:Record {history: $history, position: edge.position})
USING INDEX SEEK r:Record(history, position)
RETURN n AS subject, edge, o AS object, n IN anchors AS anchor, edge.position AS position,
  r.text AS record
ORDER BY position, edge.ordinal
