"""The laptop's own user, and what `make run` shows by the client that everyone has."""
