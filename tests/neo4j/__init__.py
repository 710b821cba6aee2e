"""What only Neo4j has."""
