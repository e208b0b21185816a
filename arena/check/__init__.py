"""Find out what is wrong with a bot before a league does: a list of checks, and their findings."""
