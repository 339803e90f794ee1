"""Why a file could not be read, in words for the person who uploaded it. They never hold what stands in it."""

from sheaf.errors import SheafError


class Unreadable(SheafError):
    """The file will not be read, today or tomorrow: `reason` says why, `advice` what a person can do about it."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(f"{reason} {advice}")
        self.reason = reason
        self.advice = advice


class ReaderBroken(SheafError):
    """The reader itself does not work: a defect of ours or of the deployment, and nothing that the file can help."""


class NeedsOcr(SheafError):
    """The pages are pictures of text, and a picture has to be recognised before it can be read."""
