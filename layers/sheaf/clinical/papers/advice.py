"""What a person can do about a file that could not be read as a paper."""

EMPTY = "Look whether it is empty on your computer too, and upload it again."
ONE = "Upload one paper a file."
NO_ARTICLE = ("This is XML, but not a journal article (JATS).", "Upload the article as JATS XML or as PDF.")
AGAIN = "Open it in a PDF viewer; if it opens, save it anew there or print it to PDF, and upload that."
