"""The commands of `sheaf`: what is typed, what is drawn meanwhile, and the exit code."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sheaf_client import api, following, profiles, terminal
from sheaf_client.transport import Refused, SheafError, Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sheaf_client.shapes import NewTask, Task

ROWS_TOGETHER = 50


@dataclass
class Session:
    as_json: bool = False
    profile: str | None = None
    project: str | None = None

    @cached_property
    def api(self) -> api.Sheaf:
        return profiles.connect(self.profile, self.project)

    def show(self, answer: object, line: str) -> None:
        click.echo(json.dumps(answer) if self.as_json else terminal.harmless(line))


of_session = click.make_pass_decorator(Session, ensure=True)


def _keep(context: click.Context, option: click.Parameter, value: object) -> None:
    setattr(context.ensure_object(Session), str(option.name), value)


class Verb(click.Command):
    def __init__(self, **more: Any) -> None:
        super().__init__(**more | {"callback": of_session(more["callback"])})
        kept: dict[str, Any] = {"expose_value": False, "callback": _keep}
        self.params += [
            click.Option(["--json", "as_json"], is_flag=True, help="Answer in JSON, one object a line.", **kept),
            click.Option(["--profile"], envvar="SHEAF_PROFILE", help="As which `sheaf login` kept it.", **kept),
            click.Option(["--project"], envvar="SHEAF_PROJECT", help="One of yours, if you have several.", **kept),
        ]


class Verbs(click.Group):
    """Commands that say in words what went wrong, and of which kind it was by their exit code."""

    command_class = Verb

    def invoke(self, ctx: click.Context) -> Any:
        try:
            code = super().invoke(ctx)
        except SheafError as trouble:
            click.echo(terminal.harmless(str(trouble)), err=True)
            code = trouble.code
        except (KeyboardInterrupt, click.Abort):
            click.echo("\nInterrupted. What was sent goes on: `sheaf watch TASK` shows it.", err=True)
            code = 130
        ctx.exit(code or 0)


@click.group(cls=Verbs)
@click.version_option(package_name="sheaf-client")
def cli() -> None:
    """Many papers in, one table out.

    Asks the stack on this machine (`make up`) where you are in its folder; elsewhere, or with --profile, the deployment
    that you have signed in to; in CI the one in SHEAF_API, with the access token in SHEAF_TOKEN.

    \b
    Exit codes: 0 all is well, 1 some of the work failed, 2 wrong use, 3 refused,
    4 cannot be reached, 5 not signed in, 130 interrupted.
    """  # noqa: D301 - click's own mark


@cli.command()
@click.argument("address")
@click.option("--username", help="Else you are asked.")
def login(session: Session, address: str, username: str | None) -> None:
    """Sign in at ADDRESS, the page or the API of a deployment."""
    name = session.profile or profiles.USUAL
    profile = profiles.login(name, address, username, session.project)
    shown = {"profile": name, "api": profile["api"], "username": profile["username"]}
    session.show(shown, f"{profile['username']} is signed in at {profile['api']}, as profile {name}.")


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--base", default="Papers", show_default=True, help="The knowledge base; made if there is none.")
def upload(session: Session, files: Sequence[Path], base: str) -> int:
    """Put FILES into the library and see them read.

    After a cut the same command goes on: what is there already is not sent again.
    """
    base_id = _named(session.api, base) or session.api.new_knowledge_base(base)["knowledgeBaseId"]
    ended = following.put(session.api, base_id, files)
    for file, each in zip(files, ended, strict=True):
        refused = {"filename": file.name, "status": "refused", "reason": str(each), "advice": None}
        session.show(refused if isinstance(each, Refused) else each, terminal.paper(file.name, each))
    return int(not all(map(following.is_ready, ended)))


@cli.command()
@click.argument("documents", nargs=-1)
@click.option("--template", required=True, help="What is asked of each: rct, cohort, qc, or one of the project's own.")
@click.option("--base", help="All of this knowledge base that can be used.")
@click.option("--engine", help="Who reads; else the deployment's usual one.")
@click.option("--budget", type=float, help="USD that it may cost.")
@click.option("--most-at-work", type=int, help="The most of its documents that are worked on at once.")
@click.option("--key", default=api.new_key, help="The same key again finds the same task.")
@click.option("--wait", is_flag=True, help="See it until it has closed.")
def submit(session: Session, documents: Sequence[str], base: str | None, key: str, *, wait: bool, **wish: Any) -> int:
    """Start a task over DOCUMENTS, or over a knowledge base; prints its id."""
    if bool(documents) is bool(base):
        raise click.UsageError("Name documents, or a knowledge base with --base.")
    new: NewTask = {"templateId": wish["template"], "budgetUsd": wish["budget"], "mostAtWork": wish["most_at_work"]}
    if base:
        if (base_id := _named(session.api, base)) is None:
            raise click.BadParameter(f"there is no knowledge base {base!r}.", param_hint="--base")
        new["selection"] = {"knowledgeBaseId": base_id, "status": "ready"}
    else:
        new["documentIds"] = list(documents)
    if wish["engine"]:
        new["engine"] = wish["engine"]
    try:
        click.echo(terminal.harmless(terminal.estimate(session.api.estimate(new))), err=True)
    except Refused as refused:
        # More papers than an estimate looks at; anything else is refused in the same words below.
        click.echo(terminal.harmless(str(refused)), err=True)
    with _key_named(key):
        return _opened(session, session.api.submit(new, key), wait=wait)


@cli.command()
@click.argument("task")
def watch(session: Session, task: str) -> int:
    """See TASK until it has closed."""
    return _watched(session, task)


@cli.command()
@click.argument("task")
@click.option("--latest", is_flag=True, help="What retries have made of its rows, in their place.")
def results(session: Session, task: str, *, latest: bool) -> None:
    """The table of TASK, as far as it is."""
    rows = session.api.results(task, **({"view": "latest"} if latest else {}))
    while some := list(islice(rows, 1 if session.as_json else ROWS_TOGETHER)):
        session.show(some[0], "" if session.as_json else terminal.table(some))


@cli.command()
@click.argument("task")
@click.option("--format", "form", type=click.Choice(api.FORMATS), default="xlsx", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Else here, as the API names it.")
def export(session: Session, task: str, form: str, output: Path | None) -> None:
    """The table of TASK as a file."""
    made = session.api.export(task, form)
    file = output or Path(Path(made["filename"]).name)
    api.save(made, file)
    session.show({**made, "file": str(file)}, str(file))


@cli.command()
@click.argument("task")
def cancel(session: Session, task: str) -> None:
    """Stop TASK; what is at work is finished and kept."""
    stopping = session.api.cancel(task)
    session.show(stopping, f"Task {task} stops: {terminal.progress(stopping)[1]}")


@cli.command()
@click.argument("task")
@click.option("--key", default=api.new_key, help="The same key again finds the same task.")
@click.option("--wait", is_flag=True, help="See the new task until it has closed.")
def retry(session: Session, task: str, key: str, *, wait: bool) -> int:
    """Try again, as a new task, what did not succeed of TASK; prints its id."""
    with _key_named(key):
        return _opened(session, session.api.retry(task, key), wait=wait)


@cli.command()
@click.argument("task", required=False)
def doctor(session: Session, task: str | None) -> int:
    """Why does nothing move, and what failed? Of the project, or of TASK."""
    seen = session.api.doctor()
    if task:
        seen["notMoving"] = [each for each in seen["notMoving"] if each["taskId"] == task]
        seen["failedRows"] = [each for each in seen["failedRows"] if each["taskId"] == task]
    wrong = list(terminal.wrong(seen, session.api.ahead_seconds))
    session.show(seen, "\n".join([*terminal.health(seen), *(wrong or ["Nothing is wrong."])]))
    return int(bool(wrong))


@contextmanager
def _key_named(key: str) -> Iterator[None]:
    """Name the key where nobody answered: without it the same command would open a second task."""
    try:
        yield
    except Unreachable as trouble:
        raise Unreachable(f"{trouble}\nThe same with --key {key} finds the task, or opens it.") from trouble


def _opened(session: Session, task: Task, *, wait: bool) -> int:
    if wait:
        return _watched(session, task["taskId"])
    session.show(task, task["taskId"])
    return 0


def _watched(session: Session, task_id: str) -> int:
    closed = following.follow(session.api, task_id)
    session.show(closed, terminal.ended(closed))
    return int(closed["completedCount"] < (closed["totalCount"] or 1))


def _named(of: api.Sheaf, base: str) -> str | None:
    return next((each["knowledgeBaseId"] for each in of.knowledge_bases() if each["name"] == base), None)
