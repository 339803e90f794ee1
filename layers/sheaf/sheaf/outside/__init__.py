"""The doors to what is not ours: clock and chance, DynamoDB, S3, servers that are not AWS, secrets, a queue's message."""

# First, and so in the midst of few other imports. CPython's stack grows in pieces, and where one is full each call costs
# two of the kernel's: as deep as `store` would import it, the patterns of boto3's libraries took 15 ms more to compile.
import boto3  # noqa: F401
