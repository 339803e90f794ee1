"""What becomes of a file that was uploaded: read once, swept until it is read, erased when nothing needs it."""
