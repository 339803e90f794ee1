"""How the locked tools are installed, and what is said where they cannot be."""

import pytest

from local import tools

OFFLINE = [
    "Failed to establish a new connection: [Errno -3] Temporary failure\nERROR: No matching distribution found for uv==1",
    "error: Failed to fetch: `https://pypi.org/simple/boto3/`\n  Caused by: dns error\n  Caused by: failed to lookup address",
    "npm error code EAI_AGAIN\nnpm error request to https://registry.npmjs.org/pdfjs-dist failed",
]
INSPECTED = [
    "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate in chain'))",
    "error: Failed to fetch\n  Caused by: error trying to connect: invalid peer certificate: UnknownIssuer",
    "npm error code SELF_SIGNED_CERT_IN_CHAIN",
]


class Script:
    """What each way of installing prints; None where it succeeds."""

    def __init__(self, **printed):
        self.printed = printed
        self.tried = []

    def __call__(self, command, more):
        way = "uv itself" if command[-1].endswith("uv.txt") else "uv" if command[1] == "pip" else "pip"
        if more == {"UV_SYSTEM_CERTS": "1"}:
            way = "uv, the system's certificates"
        self.tried.append(way)
        return self.printed.get(way.partition(",")[0].replace(" ", "_") + ("_system" if more else ""))


def test_uv_alone_installs_all_when_nothing_is_in_its_way():
    script = Script()
    assert tools.install(script) is None
    assert script.tried == ["uv itself", "uv"]


def test_the_systems_certificates_then_pip_are_tried_when_uv_trusts_nobody_there():
    script = Script(uv=INSPECTED[1])
    assert tools.install(script) is None
    assert script.tried == ["uv itself", "uv", "uv, the system's certificates"]
    script = Script(uv=INSPECTED[1], uv_system=INSPECTED[1])
    assert tools.install(script) is None
    assert script.tried[-1] == "pip"


def test_pip_installs_all_when_there_is_no_uv_for_this_machine():
    script = Script(uv_itself="ERROR: No matching distribution found for uv==0.13.8")
    assert tools.install(script) is None
    assert script.tried == ["uv itself", "pip"]


@pytest.mark.parametrize("printed", OFFLINE[:2])
def test_no_network_is_what_is_said_and_nothing_more_is_tried_when_there_is_none(printed):
    script = Script(uv_itself=printed)
    told = tools.install(script)
    assert told is not None
    assert told.startswith("No network")
    assert script.tried == ["uv itself"]


def test_what_was_printed_is_said_when_it_is_of_nothing_known():
    defect = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"
    script = Script(uv=defect, uv_system=defect, pip=defect)
    assert tools.install(script) == defect


@pytest.mark.parametrize("printed", OFFLINE)
def test_offline_is_told_from_the_words_of_each_tool(printed):
    assert str(tools.why(printed)).startswith("No network")


@pytest.mark.parametrize("printed", INSPECTED)
def test_a_proxy_that_inspects_is_told_from_the_words_of_each_tool(printed):
    assert str(tools.why(printed)).startswith("A certificate")
