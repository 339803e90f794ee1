"""The emulator of AWS as a process of its own, and what it has kept."""
