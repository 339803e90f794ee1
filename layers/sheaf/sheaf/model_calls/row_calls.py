"""Makes all model calls of one row: each reply is stored before use, and stored replies are used instead of paying again."""

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar, cast

from sheaf.errors import Transient, Unavailable
from sheaf.model_calls import stored_replies
from sheaf.model_calls.gated_call import Calling
from sheaf.model_calls.model_api import Model, Reply, Request
from sheaf.model_calls.stored_replies import Kept

C = TypeVar("C")
Check = Callable[[Reply], C]


class Line(Calling):
    def model(self) -> Model:
        """Import the provider's module at its first call, and give its model."""
        provider = import_module(f"sheaf.model_calls.{self.settings.name}")
        return cast("Model", provider.Engine(self.world, self.settings, self.row.tries))

    def accepted(self, asked: str, check: Check[C], *, fresh: bool) -> C | None:
        """What an earlier reply to this question says, if it passes the check; `fresh` takes none but the row's own."""
        kept = self._find(stored_replies.key(self.row, asked))
        if kept is None or (fresh and not self._is_mine(kept)):
            return None
        content = _checked(check, kept.reply)
        if content is not None:
            self._reuse(kept)
        return content

    def reply(self, asked: str, ordinal: int, model: Model, request: Request, check: Check[C]) -> Reply:
        """The row's own reply of an attempt cut short, or a new one, stored where the check says. Raises what `call` does."""
        kept = self._find(stored_replies.key(self.row, asked, ordinal))
        if kept is not None:
            self._reuse(kept)
            return kept.reply
        reply = self.call(model, request)
        at = stored_replies.key(self.row, asked, ordinal if _checked(check, reply) is None else None)
        try:
            stored_replies.keep(self.world, at, Kept(self.row.task, self.row.row, self.row.attempt, reply))
        except Unavailable as error:
            self.say("reply_not_kept", reason=str(error))
        return reply

    def _find(self, at: str) -> Kept | None:
        try:
            return stored_replies.find(self.world, at)
        except Unavailable as error:
            raise Transient("Storage did not answer.", "storage_unavailable") from error

    def _is_mine(self, kept: Kept) -> bool:
        return kept.task == self.row.task and kept.row == self.row.row

    def _reuse(self, kept: Kept) -> None:
        """An attempt of this row that died before it could say so has paid for it; then it is counted now."""
        self.meter.reused += 1
        if self._is_mine(kept) and kept.attempt > (self.row.metered or 0):
            self.meter.add(kept.reply.usage)


def _checked(check: Check[C], reply: Reply) -> C | None:
    """What the reply says; None where it cannot be used. A defect in the check is no reason to lose what was paid for."""
    try:
        return check(reply)
    except Exception:  # noqa: BLE001 - raised again where the reply is read
        return None
