"""Evidence: whether the paper says what an engine says it does. Pure, and no engine's word is taken for it."""

from clinical.evidence.check_answer import check
from clinical.evidence.find_quote import Found, locate
from clinical.evidence.pages import Pages

__all__ = ["Found", "Pages", "check", "locate"]
