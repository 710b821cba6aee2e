// Writes patterns to be kept with a history.
//
// $history    name of the history
// $templates, $relations, $support, $answers   one value for each pattern
// returns     nothing
CYPHER 5
UNWIND range(0, size($templates) - 1) AS i
CREATE (:Pattern {
  history: $history, number: i, template: $templates[i], relation: $relations[i],
  support: $support[i], answers: $answers[i]
})
