"""What a worker does with a row's message: gates, claim, work, settle."""
