"""Bugs of the library's intake: sentences of DESIGN's chapter on documents, each left out in one small change."""

from tests.simulation.planted.bug import Bug, bug

LIFE, INTAKE, MEND, DOCUMENTS, ERASE, CLEARING = (
    "library/lifecycle.py",
    "library/intake.py",
    "library/mending.py",
    "library/documents.py",
    "library/erasing.py",
    "library/clearing.py",
)

BUGS: list[Bug] = [
    bug(
        "a document is claimed over a live lease",
        "claim: reading with a lease that is over",
        (LIFE, "(Document.state == State.READING) & (Document.lease_until < now)", "(Document.state == State.READING)"),
        mix="late readers",
    ),
    bug(
        "a reading's end names no claim",
        "finish, set_aside, refuse: the claim token is mine",
        (
            LIFE,
            "(Document.state == State.READING) & (Document.token == item.token)",
            "(Document.state == State.READING)",
        ),
        mix="late readers",
    ),
    bug(
        "a file is tried without end",
        "claim: tries left",
        (
            LIFE,
            "& (Document.tries < max_tries) & (waits | other)",
            "& (Document.tries < max_tries + 100) & (waits | other)",
        ),
        (MEND, "Do.GIVE_UP if item.tries >= max_tries else Do.SEND", "Do.SEND"),
        mix="uploads",
    ),
    bug(
        "a late notice of other bytes claims a document",
        "claim: the object is the document's own",
        (LIFE, "(Document.key == arrival.key) & (Document.tries", "Document.key.exists() & (Document.tries"),
        mix="late looks",
    ),
    bug(
        "a doubled notice has an unreadable file read again",
        "claim: unreadable, and another version came",
        (
            LIFE,
            "        other &= Document.key_version != arrival.version\n",
            "        other &= Document.key_version.exists()\n",
        ),
        mix="uploads",
    ),
    bug(
        "a document is replaced while it is read",
        "replace: not being read",
        (
            LIFE,
            'Document.state.is_in(*(state for state in TRANSITIONS["replace"][0] if state))',
            "Document.state.exists()",
        ),
        mix="late readers",
    ),
    bug(
        "a replacement takes the usable version away",
        "a replacement never leaves a moment without a usable version",
        (
            LIFE,
            "        Document.key_version.remove(),\n",
            "        Document.key_version.remove(),\n        Document.usable.remove(),\n",
        ),
        mix="uploads",
    ),
    bug(
        "a released document leaves the index",
        "what is under way is in the sweep's index",
        (LIFE, "        *_under_way(not_before + LOOK_AFTER_MS, now),\n", "        *_at_rest()[:2],\n"),
        mix="uploads",
    ),
    bug(
        "the text after the document",
        "the text is stored before the write that points at it",
        (INTAKE, "    version = objects.put(world, key, text)\n", "    version = None\n"),
        (
            INTAKE,
            "    _say(lifecycle.finish(world, item, usable, world.now()), item)\n",
            "    _say(lifecycle.finish(world, item, usable, world.now()), item)\n    objects.put(world, key, text)\n",
        ),
        mix="uploads",
    ),
    bug(
        "the text's key without the attempt",
        "under a key that holds the attempt",
        (
            INTAKE,
            "names.text_key(item.project, item.document, item.sha256, item.attempt)",
            "names.text_key(item.project, item.document, item.sha256, 1)",
        ),
        mix="uploads",
    ),
    bug(
        "the bytes are taken as announced",
        "the hash is the client's word; the intake holds it against what arrived",
        (INTAKE, "if hashlib.sha256(content).hexdigest() != item.sha256:", "if not content:"),
        mix="quiet library",
    ),
    bug(
        "a reader's lease is shorter than its time",
        "a lease that outlives the function",
        (
            INTAKE,
            "lease_until = stop_at + STOP_BEFORE_MS + settings.lease_slack_seconds * 1000",
            "lease_until = stop_at",
        ),
        mix="late readers",
    ),
    bug(
        "nobody looks for an upload of which no notice came",
        "it asks S3 whether an upload has come of which no notice told",
        (MEND, "    if objects.latest(world, item.key) is not None:\n        return item\n", ""),
        mix="quiet library",
    ),
    bug(
        "nobody goes on with a reading that was broken off",
        "the sweep, when the lease is over",
        (
            MEND,
            "Do.GIVE_UP if item.tries >= max_tries else Do.SEND",
            "Do.GIVE_UP if item.tries >= max_tries else Do.LEAVE",
        ),
        mix="uploads",
    ),
    bug(
        "an upload is given up while its form is good",
        "a form's hour and ten minutes without a file",
        (MEND, "if now > (item.upload_until or 0) + UPLOAD_SLACK_MS:", "if item.sends:"),
        mix="quiet library",
    ),
    bug(
        "an unreadable file is called a defect",
        "what cannot be read says why",
        (
            INTAKE,
            "        raise _Outcome(State.UNREADABLE, Why(error.reason, error.advice)) from error\n",
            '        raise Transient("cannot be read") from error\n',
        ),
        mix="quiet library",
    ),
    bug(
        "an undone deletion is forgotten by the sweep",
        "restore: if it was under way the sweep looks at it again",
        (LIFE, "    if was in UNDER_WAY:\n        actions +=", "    if was in ():\n        actions +="),
        mix="uploads",
    ),
    bug(
        "a knowledge base comes back without its papers",
        "the sweep, from 2 minutes on, until a look finds none",
        (CLEARING, "        if not gone:\n", "        if gone:\n            return True\n        if not gone:\n"),
        mix="uploads",
    ),
    bug(
        "the janitor takes what is usable",
        "erasure of what neither a document nor a task needs",
        (ERASE, "    return item is not None and _is_of(item, stored)\n", "    return False\n"),
        (
            ERASE,
            "    free = [found for found in spare if not pins.hold(found.key, found.version)]\n",
            "    free = spare\n",
        ),
        mix="uploads",
    ),
]
