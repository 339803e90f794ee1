"""Fixtures for every kind of test."""

import os

import pytest
from hypothesis import settings

os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
os.environ.pop("AWS_PROFILE", None)

# No deadline: the machine is shared. No database: a failing example is printed, and the tree stays clean.
settings.register_profile("sheaf", deadline=None, database=None)
settings.load_profile("sheaf")


def pytest_addoption(parser):
    parser.addoption("--parts", action="store_true", help="show each part as it begins and ends, no dots")


def pytest_configure(config):
    if config.getoption("parts") and not hasattr(config, "workerinput"):
        from tests.support.parts import Parts  # noqa: PLC0415 - only where it is asked for

        config.pluginmanager.register(Parts(config))
    if hasattr(config, "workerinput"):
        from tests.support.scheduling import make_room  # noqa: PLC0415 - likewise

        make_room(config.workerinput["workerid"])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Of `pytest -n`, without any further option."""
    from tests.support.scheduling import OneEmulator  # noqa: PLC0415 - only where xdist is there and asks

    return OneEmulator(config, log)
