"""One heap of events, one virtual clock, and processes as greenlets that give way at every call and every sleep.

Nothing here knows of Sheaf or of AWS. Instants and durations are whole milliseconds.
"""

import heapq
from collections.abc import Callable
from typing import Any

import greenlet

T0 = 1_800_000_000_000


class Killed(BaseException):
    """The process is dead. No `except Exception` of the product sees it, and nothing it does afterwards counts."""


class Kernel:
    """The clock and what is going to happen."""

    latest: "Kernel"

    def __init__(self) -> None:
        Kernel.latest = self
        self.now = T0
        self.until = T0
        self.heap: list[tuple[int, int, Callable[..., None], tuple[Any, ...]]] = []
        self.sequence = 0
        self.hub = greenlet.getcurrent()
        self.stopped = False
        self.current: Process | None = None
        self.alive: set[Process] = set()

    def at(self, when: int, act: Callable[..., None], *arguments: Any) -> None:
        self.sequence += 1
        heapq.heappush(self.heap, (max(when, self.now), self.sequence, act, arguments))

    def after(self, milliseconds: float, act: Callable[..., None], *arguments: Any) -> None:
        self.at(self.now + int(milliseconds), act, *arguments)

    def run(self, until: int) -> None:
        """Let happen what is to happen before `until`, unless something stops the world."""
        self.until = until
        while self.heap and not self.stopped and self.heap[0][0] <= until:
            self.now, _, act, arguments = heapq.heappop(self.heap)
            act(*arguments)
        if not self.stopped:
            self.now = max(self.now, until)

    def end(self) -> None:
        """Kill what still runs, so that no greenlet outlives its world."""
        self.stopped = True
        for process in list(self.alive):
            process.kill("end of the world")


class Process:
    """One invocation of one function: its own death, clock error and alarm."""

    def __init__(
        self, kernel: Kernel, name: str, run: Callable[["Process"], Any], ended: Callable[["Process", str, Any], None]
    ) -> None:
        self.kernel = kernel
        self.name = name
        self.dead: str | None = None
        self.done = False
        self.alarm_at: int | None = None
        self.alarm: type[Exception] | None = None
        self.waiting = 0
        self._ended = ended
        self._greenlet = greenlet.greenlet(lambda: self._main(run), kernel.hub)

    def start(self) -> None:
        self.kernel.alive.add(self)
        self._switch()

    def wait(self, milliseconds: int) -> None:
        """Give way for so long. Raises Killed, or the alarm's exception when that comes first."""
        if self.dead:
            raise Killed
        kernel = self.kernel
        wake = kernel.now + milliseconds
        if self.alarm_at is not None and self.alarm_at <= wake:
            wake = max(self.alarm_at, kernel.now)
        if wake <= kernel.until and not kernel.stopped and (not kernel.heap or kernel.heap[0][0] > wake):
            kernel.now = wake  # nothing else happens meanwhile
        else:
            self.waiting += 1
            kernel.at(wake, self._resume, self.waiting)
            kernel.hub.switch()
        if self.dead:
            raise Killed
        if self.alarm_at is not None and kernel.now >= self.alarm_at:
            self.alarm_at = None
            raise self.alarm("Stopped by itself shortly before the function's time limit.")  # type: ignore[misc]

    def freeze(self, milliseconds: int) -> None:
        """Stand still for so long, deaf to alarms; they are heard afterwards."""
        if self.dead:
            raise Killed
        self.waiting += 1
        self.kernel.at(self.kernel.now + milliseconds, self._resume, self.waiting)
        self.kernel.hub.switch()
        if self.dead:
            raise Killed

    def kill(self, why: str) -> None:
        """Dead from now on. Called from the hub for another, or by itself from inside (then raise Killed)."""
        if self.dead or self.done:
            return
        self.dead = why
        if self.kernel.current is None:
            self._switch(throw=True)
        elif self.kernel.current is not self:
            self.kernel.at(self.kernel.now, self._bury)

    def _bury(self) -> None:
        if not self.done:
            self._switch(throw=True)

    def _resume(self, waiting: int) -> None:
        if not self.dead and not self.done and waiting == self.waiting:
            self._switch()

    def enter(self) -> None:
        """Called each time that this process gets the processor."""

    def leave(self) -> None:
        """Called each time that it gives the processor up."""

    def _switch(self, *, throw: bool = False) -> None:
        before, self.kernel.current = self.kernel.current, self
        self.enter()
        if throw:
            self._greenlet.throw(Killed)
        else:
            self._greenlet.switch()
        self.leave()
        self.kernel.current = before

    def _main(self, run: Callable[["Process"], Any]) -> None:
        outcome: tuple[str, Any]
        try:
            outcome = ("ok", run(self))
        except Killed:
            outcome = ("killed", self.dead)
        except Exception as error:  # noqa: BLE001 - what a handler raises is a function error, judged by the caller
            outcome = ("killed", self.dead) if self.dead else ("error", error)
        self.done = True
        self.kernel.alive.discard(self)
        self._ended(self, *outcome)
