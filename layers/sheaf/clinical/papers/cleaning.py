"""What a reader's text is cleaned of, whichever reader it was: what is not seen, or makes what is seen read as another. Pure."""

import re

# In order: controls (tabs, line ends and the end of a page stay); marks that turn the direction of text round or have no
# width; what is no character; letters of the invisible alphabet that tags are written in.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)


def clean(text: str) -> str:
    return UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
