"""The doors to what is not ours: clock and chance, DynamoDB, S3, servers that are not AWS, secrets, a queue's message."""
