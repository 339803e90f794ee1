"""The command `sheaf`, and the typed client under it: the API as any program calls it. Knows nothing of layers/ and local/."""
