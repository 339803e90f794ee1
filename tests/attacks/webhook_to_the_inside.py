"""An editor has closes told to the metadata of a cloud, and to a name that is public when it is looked at and private afterwards.

The wall: at each delivery every address of the name must be public, and the connection is made to the one that was looked at
(`WebhookWall`, which only a stack on one's own machine turns off).
"""

import tempfile
from dataclasses import replace
from pathlib import Path

from sheaf.outside import wiring
from sheaf.settings import ApiSettings, NoticeSettings
from tests.support.bench import Bench, stack
from tests.support.receivers import PUBLIC

METADATA = "169.254.169.254"
INSIDE = ("https://169.254.169.254/latest/meta-data/", "https://[::ffff:a9fe:a9fe]/", "https://2852039166/")
REBOUND = "https://rebound.example.org/"


def attack(*, walls: bool) -> list[str]:
    """The private addresses to which a request went."""
    with tempfile.TemporaryDirectory() as folder, stack(Path(folder) / "probe.log") as bench:
        for function, cls in (("ApiFunction", ApiSettings), ("NoticeFunction", NoticeSettings)):
            world = bench.worlds[function]
            wall = "public" if walls else "none"
            wiring.worlds[cls] = replace(world, settings=replace(world.settings, webhook_wall=wall))
        return _lead(bench)


def _lead(bench: Bench) -> list[str]:
    names = bench.receivers.names
    names |= {METADATA: [METADATA], "::ffff:a9fe:a9fe": ["::ffff:169.254.169.254"], "2852039166": [METADATA]}
    for url in (*INSIDE, REBOUND):
        names["rebound.example.org"] = [PUBLIC]
        bench.http("PUT", "/asl/webhook", {"url": url})
        names["rebound.example.org"] = [METADATA]
        bench.http("POST", "/asl/webhook/test")
        bench.tell()
    return [sent.address for sent in bench.receivers.sent if sent.address != PUBLIC]
