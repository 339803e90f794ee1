"""Numbers in a text, in digits or in words, with their units."""
