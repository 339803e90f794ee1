"""What a task, a row and a gate may become, and how a task's rows come to be: docs/DESIGN.md as code."""
