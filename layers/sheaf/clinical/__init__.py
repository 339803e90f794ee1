"""The clinical product on the core: papers in, a checked table of what they say out."""
