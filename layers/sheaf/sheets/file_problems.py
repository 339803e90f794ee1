"""What is wrong with a file, in words for who uploaded it: a reason, and what to do."""

SAVE_AS = "Open it in a spreadsheet program, save it as xlsx, and upload that."
LOCKED = ("This workbook is protected by a password.", "Remove the password, save it, and upload that.")
NO_SHEET = (
    "This is not a workbook: xlsx, xls, ods and csv are read, whatever the file is called.",
    "Look whether it is the file that you mean.",
)
DAMAGED = ("This workbook is damaged: parts of it are missing or cannot be read.", SAVE_AS)
EMPTY = ("There is no table in this file.", "Look whether it is empty on your computer too.")
TOO_MUCH_PACKED = ("This workbook unpacks to far more than any table holds.", SAVE_AS)
NO_HEADER = (
    "No row of names was found above the values.",
    "Put a row with a name for each column above the values, and upload that.",
)
NOT_COUNTED = (
    "Its formulas have no values: the program that wrote this workbook did not work them out.",
    "Open it in a spreadsheet program, which does, save it, and upload that.",
)
SMALLER = "Leave out what is not needed, or cut it into several workbooks."


def too_large(name: str, what: str, there: int, most: int) -> tuple[str, str]:
    return f"The sheet “{name}” has {there:,} {what}; up to {most:,} are read.", SMALLER
