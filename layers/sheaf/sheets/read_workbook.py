"""A workbook as bytes in, the file of its clean tables out: what the process of its own runs (`sheaf.apart`)."""

import codecs
from importlib import import_module

from sheaf.apart.child import next_step
from sheaf.apart.reader_errors import Unreadable
from sheets import file_problems, table_file, tables, workbook_files
from sheets.sheet_limits import Limits


def prepare(content: bytes, _filename: str) -> None:
    """Import what reading these bytes takes: behind the wall nothing can be."""
    if content.startswith((workbook_files.ZIP, workbook_files.OLE)):
        import_module("python_calamine")
    # Python imports these when they are first needed.
    for encoding in ("gb18030", "gb2312", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp437"):
        codecs.lookup(encoding)


def read(content: bytes, _filename: str, limits: Limits) -> table_file.File:
    """Raises Unreadable."""
    found = workbook_files.read(content, limits)
    next_step()
    made = clean(found)
    next_step()
    return made


def clean(found: list[workbook_files.Sheet]) -> table_file.File:
    """Raises Unreadable where no sheet holds a table."""
    made = [tables.clean(sheet) for sheet in found]
    if not any(table.columns for table in made):
        reasons = [table.problem for table in made if table.problem]
        reason, _, advice = (reasons or [" ".join(file_problems.EMPTY)])[0].partition(". ")
        raise Unreadable(f"{reason}.", advice)
    return table_file.write(made)
