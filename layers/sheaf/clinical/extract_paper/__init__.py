"""The kind of work that reads a paper: its desk for the API, its work for the worker."""
