"""The work on one session's workbook: read and clean what was uploaded, or write down what was changed in it."""

import json
import zlib
from io import BytesIO

from sheaf.apart import isolation
from sheaf.apart.reader_errors import ReaderBroken, Unreadable
from sheaf.errors import Permanent, Throttled, Transient
from sheaf.jobs import Done, Job
from sheaf.outside.objects import ObjectGone
from sheets import file_problems, saved_table, table_file
from sheets.sheet_limits import LIMITS
from sheets.table_file import HEAD, File

STEPS = ("reading", "cleaning", "saving")
READER = "sheets.read_workbook"
UPLOAD_SLACK_MS = 10 * 60 * 1000
"""An upload that was begun at its form's last moment may still be under way when the form is over."""
LATER_SECONDS = 300
NEVER_CAME = "Its file never arrived. Upload it again."


class NotYet(Throttled, error_class="not_yet"):
    """Held: whenever the file comes, its message may begin at once."""

    held = True


def work(job: Job) -> Done:
    """Raises Permanent, Transient, Throttled."""
    return _saved(job) if "base" in job.options else _read(job)


def _read(job: Job) -> Done:
    content = _arrived(job)
    job.begin(STEPS[0])
    limits = LIMITS._replace(**job.options["limits"], wall_seconds=min(LIMITS.wall_seconds, job.seconds_left()))
    try:
        made = isolation.read_apart(
            content,
            str(job.options["filename"]),
            limits,
            reader=READER,
            advice=file_problems.SAVE_AS,
            walled=job.walled,
            on_step=lambda done: job.begin(STEPS[min(done, len(STEPS) - 1)]),
        )
        file = File(made[HEAD:], int.from_bytes(made[:HEAD], "big"))
        summary = _summary(file, original=None)
    except Unreadable as error:
        raise Permanent(str(error), "unreadable") from error
    except (ReaderBroken, ValueError, KeyError, TypeError, IndexError, OSError, zlib.error) as error:
        raise Transient("The reader did not work.", "reader_broken") from error
    job.begin(STEPS[-1])
    return Done(summary, summary, {}, BytesIO(file.content))


def _arrived(job: Job) -> bytes:
    """The file; until it may have come, later. Raises Permanent, Throttled."""
    try:
        return job.read()
    except Permanent as error:
        left = int(job.options["uploadUntil"]) + UPLOAD_SLACK_MS - job.now()
        if error.error_class != "document_gone":
            raise
        if left <= 0:
            raise Permanent(NEVER_CAME, "never_came") from error
        raise NotYet("The file has not come yet.", min(LATER_SECONDS, left / 1000)) from error


def _saved(job: Job) -> Done:
    job.begin(STEPS[0])
    change = json.loads(job.read())
    base = job.options["base"]
    try:
        before = saved_table.tables_of(job.stored(base["key"]), base["head"])
    except ObjectGone as error:
        raise Permanent("The version before this one is gone.", "base_gone") from error
    job.begin(STEPS[1])
    after = saved_table.changed(before, change)
    file = table_file.write(after)
    job.begin(STEPS[-1])
    original = saved_table.workbook(after)
    summary = _summary(file, original="original")
    return Done(summary, summary, {}, BytesIO(file.content), {"original": original})


def _summary(file: File, *, original: str | None) -> dict[str, object]:
    """On the row: enough to read any part of the file."""
    about = table_file.sheets(file.content[: file.head])
    return {
        "head": file.head,
        "bytes": len(file.content),
        "sheets": len(about),
        "rows": sum(sheet["rows"] for sheet in about),
        "original": original,
    }
