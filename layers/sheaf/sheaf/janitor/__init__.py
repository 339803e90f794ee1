"""What is erased of a task's objects, and what may not be."""
