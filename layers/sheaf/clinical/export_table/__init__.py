"""The kind of work that writes a task's table as a file: its orders for the API, its work for the worker. ADR 43."""
