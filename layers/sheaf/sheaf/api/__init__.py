"""What a caller can do with tasks, and may. Nothing that works behind the API imports it."""
