"""The sweep: when it comes, what it decides about a row, and what it says when a task closes."""
