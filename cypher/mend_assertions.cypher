// Gives assertions the history, subject and member that follow from what they begin and end at and
// from their relation; what does not follow stays as it is.
//
// $history   name of the history
// $elements  ids of assertions in the database
// returns    nothing
CYPHER 5
MATCH (s)-[a:ASSERTED]->(o)
WHERE elementId(a) IN $elements
OPTIONAL MATCH (r:Relation {history: $history, name: a.relation})
SET a.history = $history,
  a.subject = CASE WHEN s.key IS :: STRING NOT NULL THEN s.key ELSE a.subject END,
  a.member = CASE
    WHEN a.member IS :: STRING NOT NULL THEN a.member
    WHEN r.values = 'one' THEN ''
    WHEN r.values = 'many' THEN o.key
  END
