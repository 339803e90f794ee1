"""Why a file could not be turned into text, in words for the person who uploaded it. They never hold document text."""

from sheaf.errors import SheafError

EMPTY = "Look whether it is empty on your computer too, and upload it again."
ONE = "Upload one paper a file."
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

    def __init__(self, pages: int = 0) -> None:
        super().__init__("The pages of this PDF are pictures; they hold hardly any text.")
        self.pages = pages
