"""Rules that read how a trial was made, and how many it randomised."""
