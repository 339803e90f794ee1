"""How a model reads a paper: ask, check, ask for a correction, ask anew, and then say that it failed."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from clinical import evidence
from clinical.answered import Answer
from clinical.engines import Answers, field_by_field, prompts, reply_schema, splitting
from clinical.papers import Page, Paper
from clinical.templates import Field, Template
from sheaf.errors import Permanent
from sheaf.jobs import Job
from sheaf.model_calls.model_api import Model, ModelFault, Reply, Request, TooLong, Truncated
from sheaf.model_calls.row_calls import Line
from sheaf.plain_json import JsonObject

FIRST, REPAIR, ANEW = 0, 1, 2
HALVINGS = 3
Found = dict[str, Answer]


def answer(paper: Paper, template: Template, job: Job) -> Answers:
    """Ask the row's model about this paper. Raises Permanent, Transient, Throttled."""
    line: Line = job.ask
    settings, fields, model = line.settings, template.fields, line.model()
    asker = _Asker(model, line, fresh=bool(job.options.get("fresh")))
    reading = _in_parts if settings.asks == "form" else _field_by_field
    answers, parts = reading(asker, paper, fields, job)
    usage: dict[str, object] = {"parts": parts, "asks": settings.asks, "prompts": prompts.digest(fields, settings.asks)}
    return Answers(answers, model.name, {**line.meter.told(), **usage})


def _in_parts(asker: "_Asker", paper: Paper, fields: Sequence[Field], _job: Job) -> tuple[Found, int]:
    asked = len(prompts.system(fields)) + len(str(reply_schema.schema(fields)))
    parts = splitting.parts(paper, max(4_000, asker.room(asker.line.settings.output_tokens) - asked))
    return splitting.merged(fields, [asker.read(fields, part) for part in parts]), len(parts)


def _field_by_field(asker: "_Asker", paper: Paper, fields: Sequence[Field], job: Job) -> tuple[Found, int]:
    tokens = min(asker.line.settings.output_tokens, prompts.LIST_TOKENS)
    pages, room = evidence.Pages(paper, job.budget), asker.room(tokens) - len(prompts.QUESTION)
    answers = field_by_field.Reading(asker.one, paper, pages, tokens, room).answers(fields)
    if not answers:
        raise Permanent("None of the model's replies could be used.", "model_fault")
    return answers, 1


class _Asker(NamedTuple):
    model: Model
    line: Line
    fresh: bool

    def room(self, output_tokens: int) -> int:
        """Characters that instructions and paper may have together."""
        return int((self.line.settings.window_tokens - output_tokens) * splitting.CHARS_PER_TOKEN)

    def read(self, fields: Sequence[Field], pages: Sequence[Page], halvings: int = 0) -> Found:
        """Halves of the fields where the reply would be too long, halves of the pages where the question is."""
        try:
            form = self._ask(prompts.first(fields, pages, self.line.settings.output_tokens))
            return reply_schema.answers(fields, form)
        except ModelFault as error:
            raise Permanent(f"The model's reply could not be used, three times. {error}", "model_fault") from error
        except Truncated as error:
            if len(fields) == 1 or halvings == HALVINGS:
                reason = "The reply is longer than the model may write; raise the limit."
                raise Permanent(reason, "truncated") from error
            half = len(fields) // 2
            parts = [self.read(part, pages, halvings + 1) for part in (fields[:half], fields[half:])]
            return parts[0] | parts[1]
        except TooLong as error:
            halves = splitting.halves(pages)
            if len(halves) == 1 or halvings == HALVINGS:
                raise Permanent("The paper does not fit the model's window, even in parts.", "too_long") from error
            return splitting.merged(fields, [self.read(fields, half, halvings + 1) for half in halves])

    def one(self, asked: Request) -> JsonObject | None:
        """What the model says to one question; None where it goes on without end, or says nothing of use."""
        try:
            return self._ask(asked)
        except (ModelFault, Truncated):
            return None
        except TooLong as error:
            raise Permanent("A question does not fit the model's window.", "too_long") from error

    def _ask(self, asked: Request) -> JsonObject:
        key = asked.sha256(self.model.name, self.model.endpoint, dict(self.line.settings.extra))
        check = partial(self._content, asked=asked)
        good = self.line.accepted(key, check, fresh=self.fresh)
        if good is not None:
            return good
        request, fault = asked, ModelFault("")
        for ordinal in (FIRST, REPAIR, ANEW):
            reply = self.line.reply(key, ordinal, self.model, request, check)
            try:
                return check(reply)
            except ModelFault as error:
                fault = error
            # The same question once more, with some chance in it, so that the answer may be another.
            anew = asked._replace(temperature=0.5)
            request = prompts.repair(asked, reply.text, str(fault)) if ordinal == FIRST else anew
        raise fault

    def _content(self, reply: Reply, asked: Request) -> JsonObject:
        match reply.stop:
            case "length":
                raise Truncated
            case "window":
                raise TooLong
            case "filtered":
                raise Permanent("The provider's content filter refused this document.", "content_filtered")
            case "refused":
                raise Permanent("The model refused to read this document.", "content_filtered")
            case "malformed":
                raise ModelFault("The reply was not well formed.")
        return reply_schema.read(reply.text, asked.schema)
