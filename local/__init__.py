"""The whole stack on this machine: MiniStack for AWS, the very same template, a user, sample papers."""


class LocalError(Exception):
    """What went wrong and what to do about it, in words for whoever gave the command."""
