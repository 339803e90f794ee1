"""Time that stands still unless it is moved."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sheaf.errors import OutOfTime

T0 = 1_800_000_000_000


@dataclass
class Clock:
    """Stands still until somebody sleeps, who like with `time.sleep` may not do so backwards; interrupts whoever sleeps past a time limit, as the real alarm does."""

    now: int = T0
    limits: list[int] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self.now += int(seconds * 1000)
        if self.limits and self.now >= self.limits[-1]:
            self.now = self.limits[-1]
            raise OutOfTime("Stopped by itself shortly before the function's time limit.")

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        self.limits.append(self.now + int(seconds * 1000))
        try:
            yield
        finally:
            self.limits.pop()


@dataclass
class Context:
    """What Lambda gives a handler beside the event."""

    clock: Clock
    ends_at: int
    aws_request_id: str = "request"
    function_name: str = "function"
    memory_limit_in_mb: int = 256
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:sheaf"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, self.ends_at - self.clock.now)
