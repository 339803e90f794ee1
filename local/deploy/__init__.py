"""What `make deploy` asks before it deploys, and after."""
