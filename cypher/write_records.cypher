// Writes records.
//
// $history    name of the history
// $positions, $texts, $statuses, $reasons, $sources, $source_lines, $observed_at, $speakers,
// $sessions   one value for each record; null where there is none
// returns     nothing
CYPHER 5
UNWIND range(0, size($positions) - 1) AS i
CREATE (:Record {
  history: $history, position: $positions[i], text: $texts[i], status: $statuses[i],
  reason: $reasons[i], source: $sources[i], source_line: $source_lines[i],
  observed_at: $observed_at[i], speaker: $speakers[i], session: $sessions[i]
})
