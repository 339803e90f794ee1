"""Rules that read what was studied, where, when and in whom."""
