"""Why a file could not be read, in words for the person who uploaded it."""

from sheaf.errors import SheafError


class Unreadable(SheafError):
    """It cannot be read, and reading it again would not help."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


class NeedsOcr(SheafError):
    """Its pages are pictures."""

    def __init__(self, pages: int) -> None:
        super().__init__(f"{pages} pages without text")
        self.pages = pages
