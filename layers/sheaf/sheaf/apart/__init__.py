"""A file that nobody vouches for, read in a process of its own behind a wall."""
