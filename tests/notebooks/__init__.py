"""The notebooks run, and show what is committed."""
