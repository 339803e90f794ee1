"""`sam local invoke` against the emulator's tables, in containers made of this machine's own parts."""
