"""PDFs: their text, mended, and their titles."""
