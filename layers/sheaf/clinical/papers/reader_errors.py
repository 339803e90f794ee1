"""Why a file could not be turned into text, in words for the person who uploaded it. They never hold document text."""

from sheaf.errors import SheafError

EMPTY = "Look whether it is empty on your computer too, and upload it again."
ONE = "Upload one paper a file."
NO_ARTICLE = ("This is XML, but not a journal article (JATS).", "Upload the article as JATS XML or as PDF.")
AGAIN = "Open it in a PDF viewer; if it opens, save it anew there or print it to PDF, and upload that."


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
