"""Rules that read what the report says of itself, and what was found."""
