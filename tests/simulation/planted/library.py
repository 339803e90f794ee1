"""Bugs of the library's intake: sentences of DESIGN's chapter on documents, each left out in one small change."""

from tests.simulation.planted.bug import Bug, bug
from tests.support.anchored import Edit

BUGS: list[Bug] = [
    bug(
        "a document is claimed over a live lease",
        "claim: reading with a lease that is over",
        Edit(
            "abandoned",
            "(self.standing == self.owned) & no_lease",
            "self.standing == self.owned",
        ),
        mix="late readers",
    ),
    bug(
        "a reading's end names no claim",
        "finish, set_aside, refuse: the claim token is mine",
        Edit(
            "by_owner",
            "(self.standing == self.owned) & (self.model.token == item.token)",
            "self.standing == self.owned",
        ),
        mix="late readers",
    ),
    bug(
        "a file is tried without end",
        "claim: tries left",
        Edit("claim", "self.model.tries < bid.max_tries", "self.model.tries < bid.max_tries + 100"),
        Edit("decide", "Do.GIVE_UP if item.tries >= max_tries else Do.SEND", "Do.SEND"),
        mix="uploads",
    ),
    bug(
        "a late notice of other bytes claims a document",
        "claim: the object is the document's own",
        Edit("claim", "Document.key == seen.key", "Document.key.exists()"),
        mix="late looks",
        first=2000,
    ),
    bug(
        "a doubled notice has an unreadable file read again",
        "claim: unreadable, and another version came",
        Edit("claim", "Document.key_version != version", "Document.key_version.exists()"),
        mix="uploads",
    ),
    bug(
        "a document is replaced while it is read",
        "replace: not being read",
        Edit(
            "replace",
            "Document.state.is_in(State.UPLOADING, State.READY, State.NEEDS_OCR, State.UNREADABLE)",
            "Document.state.exists()",
        ),
        mix="late readers",
    ),
    bug(
        "a replacement takes the usable version away",
        "a replacement never leaves a moment without a usable version",
        Edit("_awaiting", "key_version=None", "key_version=None, usable=None"),
        mix="uploads",
    ),
    bug(
        "a released document leaves the index",
        "what is under way is in the sweep's index",
        Edit("release", "_look_at(due.at + LOOK_AFTER_MS)", "_at_rest()"),
        mix="uploads",
    ),
    bug(
        "the text after the document",
        "the text is stored before the write that points at it",
        Edit("_finish", "objects.put(world, key, text)", "None"),
        Edit(
            "_finish",
            "return document_lifecycle.finish(world, item, usable, world.now())",
            "written = document_lifecycle.finish(world, item, usable, world.now())\nobjects.put(world, key, text)\nreturn written",
        ),
        mix="uploads",
    ),
    bug(
        "the text's key without the attempt",
        "under a key that holds the attempt",
        Edit("_finish", "item.attempt", "1"),
        mix="uploads",
    ),
    bug(
        "the bytes are taken as announced",
        "the hash is the client's word; the intake holds it against what arrived",
        Edit("_content", "hashlib.sha256(content).hexdigest() != item.sha256", "not content"),
        mix="quiet library",
    ),
    bug(
        "a reader's lease is shorter than its time",
        "a lease that outlives the function",
        Edit("_take", "stop_at + STOP_BEFORE_MS + world.settings.lease_slack_seconds * 1000", "stop_at"),
        mix="late readers",
    ),
    bug(
        "nobody looks for an upload of which no notice came",
        "it asks S3 whether an upload has come of which no notice told",
        Edit("_look", "if objects.latest(world, item.key) is not None:\n    return item", ""),
        mix="quiet library",
    ),
    bug(
        "nobody goes on with a reading that was broken off",
        "the sweep, when the lease is over",
        Edit("decide", "Do.SEND", "Do.LEAVE"),
        mix="uploads",
    ),
    bug(
        "an upload is given up while its form is good",
        "a form's hour and ten minutes without a file",
        Edit("_look", "now > (item.upload_until or 0) + UPLOAD_SLACK_MS", "item.sends"),
        mix="quiet library",
    ),
    bug(
        "an unreadable file is called a defect",
        "what cannot be read says why",
        Edit(
            "_read",
            "written = document_lifecycle.refuse(world, item, Why(error.reason, error.advice), world.now())",
            "return _give_back(world, item, Transient('cannot be read'))",
        ),
        mix="quiet library",
    ),
    bug(
        "an undone deletion is forgotten by the sweep",
        "restore: if it was under way the sweep looks at it again",
        Edit("restore", "if was in UNDER_WAY:", "if was in ():"),
        mix="uploads",
    ),
    bug(
        "a knowledge base comes back without its papers",
        "the sweep, from 2 minutes on, until a look finds none",
        Edit("refill", "if not gone:", "if True:"),
        mix="uploads",
    ),
    bug(
        "the janitor takes what is usable",
        "erasure of what neither a document nor a task needs",
        Edit("is_needed", "item is not None and _is_of(item, stored)", "False"),
        Edit("_tidy_project", "[found for found in spare if not pins.hold(found.key, found.version)]", "spare"),
        mix="uploads",
    ),
]
