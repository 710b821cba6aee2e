"""Why a read shows what it shows, what a slot was before, and what changed between positions."""
