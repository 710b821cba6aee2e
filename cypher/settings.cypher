// Settings of the server.
//
// $names   names of settings
// returns  name, value
CYPHER 5
SHOW SETTINGS
YIELD name, value
WHERE name IN $names
RETURN name, value
