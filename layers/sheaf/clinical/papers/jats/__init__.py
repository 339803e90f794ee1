"""Articles in JATS and NLM XML."""
