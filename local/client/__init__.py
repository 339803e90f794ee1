"""The API as any client calls it: papers in, a table out."""
