"""Fixtures for every kind of test."""

import os
os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
os.environ.pop("AWS_PROFILE", None)
