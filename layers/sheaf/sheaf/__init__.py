"""Sheaf: one request names N documents, N slow pieces of work run on queues, one finished table comes back."""
