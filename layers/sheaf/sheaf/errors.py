"""What can go wrong, cut by what the caller must do next."""

from typing import Any


class SheafError(Exception):
    """Anything this package raises on purpose."""


class ConfigError(SheafError):
    """The deployment is wrong: stop at the cold start and say everything that is missing."""


class InvalidRequest(SheafError):
    """The request is wrong: 400, naming the field and the reason."""

    def __init__(self, field: str, reason: str, **details: Any) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.details = details


class Forbidden(SheafError):
    """The caller is known but not allowed: 403."""


class NotFound(SheafError):
    """There is no such thing, or it belongs to another project: 404, the same words for both."""


class Conflict(SheafError):
    """The request is well formed but contradicts what is stored: 409."""

    def __init__(self, problem: str, reason: str, **details: Any) -> None:
        super().__init__(reason)
        self.problem = problem
        self.reason = reason
        self.details = details


class TooMuch(SheafError):
    """More than one project may have at once: 429, saying how much and what to do."""


class TooFast(SheafError):
    """One user reads more than one may in so short a time: 429, saying when to go on."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"You have read many rows in a short time. Go on in {seconds} seconds.")
        self.seconds = seconds


class Failure(SheafError):
    """A document's work did not succeed. `error_class` and `message` go on its row, so they hold no document text."""

    error_class = "failure"

    def __init_subclass__(cls, *, error_class: str) -> None:
        """Each kind of failure is named in its rows and in the logs."""
        cls.error_class = error_class

    def __init__(self, message: str, error_class: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.error_class = error_class or self.error_class


class Permanent(Failure, error_class="permanent"):
    """Will fail again (unreadable, gone, refused): the row ends in error now."""


class Transient(Failure, error_class="transient"):
    """May succeed later: the row goes back to pending and its message waits."""


class Throttled(Transient, error_class="throttled"):
    """A provider asked us to slow down: as Transient, but uses up no try."""

    held = False  # a shut gate keeps the row waiting: it needs no instant of its own
    refused: int | None = None  # what is noted on a row that was refused as accounts are: the gate's count of answers

    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class AccountRefused(Throttled, error_class="provider_account"):
    """The provider refuses the whole account (key, balance, access, model): as Throttled, until somebody mends it."""


class Walled(AccountRefused, error_class="provider_down"):
    """Something before the provider refuses the request: to all of them, or one document for its words."""


class ProviderDown(Transient, error_class="provider_down"):
    """The provider did not answer, or answered that it cannot: nothing is wrong with the document."""

    def __init__(self, message: str, retry_after_seconds: float | None = None, *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        self.timed_out = timed_out  # it may have worked all the same, and takes its money


class OutOfTime(Transient, error_class="out_of_time"):
    """The work stopped by itself shortly before the function's own deadline."""


class Unavailable(SheafError):
    """AWS throttled us or did not answer, the client's own retries included: come back later."""


class TimedOut(Unavailable):
    """A server was asked, and its time was over before it had answered."""
