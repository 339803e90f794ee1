"""A real language model on this machine, to test with: `make model-check`. Never a dependency, never in the repository."""
