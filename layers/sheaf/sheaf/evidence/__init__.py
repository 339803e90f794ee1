"""Evidence: whether the paper says what an engine says it does. Pure, and no engine's word is taken for it."""

from sheaf.evidence.checking import check, unverified, verified
from sheaf.evidence.locating import Found, locate
from sheaf.evidence.pages import Pages

__all__ = ["Found", "Pages", "check", "locate", "unverified", "verified"]
