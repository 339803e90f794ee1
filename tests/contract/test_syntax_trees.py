"""Rules of the house that hold for every line of the product, and are checked on its syntax trees."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from sheaf.outside import wiring
from tests.support import clients, syntax
from tests.support.syntax import CLINICAL, FUNCTIONS, LAYER, PACKAGE, PRODUCT, calls, dotted, everywhere, imports, tree

WIRING, SETTINGS, LIFECYCLE, STORE = (
    PACKAGE / f"{name}.py" for name in ("outside/wiring", "settings", "protocol/lifecycle", "outside/store")
)
LIBRARY_LIFECYCLE = CLINICAL / "library/document_lifecycle.py"
AWS = {"boto3", "botocore", "pynamodb"}
OUTSIDE = {
    "time",
    "random",
    "secrets",
    "uuid",
    "threading",
    "concurrent",
    "signal",
    "socket",
    "subprocess",
    "urllib",
    "http",
}
APART = {PACKAGE / "apart" / name for name in ("isolation.py", "child.py", "wall.py")}
"""Where a hostile file is read, in a process of its own that is killed in time."""
OUTGOING = PACKAGE / "outside/http_request.py"
"""Where a server that is not AWS is asked; the rest of the package is handed it by wiring."""
WRITES = {"put_item", "update_item", "delete_item", "transact_write_items"}


def roots(path: Path) -> set[str]:
    """Without `urllib.parse`, which takes strings apart and reaches nothing."""
    return {name.partition(".")[0] for name in imports(path) if not name.startswith("urllib.parse")}


def test_the_rules_look_at_the_product_when_they_are_checked():
    """A rule over no files holds always."""
    assert {WIRING, SETTINGS, LIFECYCLE, STORE} <= set(PRODUCT)
    assert len(PRODUCT) > 30


@pytest.mark.parametrize("path", sorted(FUNCTIONS.rglob("*.py")), ids=syntax.name)
def test_a_function_does_not_touch_aws_itself(path):
    """It parses its event and calls one verb of the package; no client, no table, no other function's module."""
    assert not roots(path) & (AWS | OUTSIDE)
    others = {other.stem for other in FUNCTIONS.glob("*/*.py") if other.parent != path.parent}
    assert not roots(path) & others


@everywhere
def test_the_environment_is_read_in_settings_only(path):
    """Everything that the deployment decides is in one dataclass a function, and is missed at once."""
    found = {
        node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute) and dotted(node.value) == "os"
    }
    assert not found & {"environ", "getenv", "environb"} or path == SETTINGS
    assert not {"os.environ", "os.getenv"} & imports(path)


@everywhere
def test_time_chance_and_threads_enter_in_wiring_only(path):
    """`now` is an argument everywhere below the edge: that is what lets a simulation own the clock."""
    if path == WIRING:
        return
    apart = {"subprocess", "signal"} if path in APART else {"http", "socket", "time"} if path == OUTGOING else set()
    assert not roots(path) & (OUTSIDE - apart)
    assert not [
        name for name, _ in calls(path) if name.endswith((".now", ".utcnow", ".today")) and name.startswith("date")
    ]


@everywhere
def test_no_client_is_made_but_in_wiring(path):
    made = [name for name, _ in calls(path) if name in {"boto3.client", "boto3.resource", "boto3.Session", "Session"}]
    assert not made or path == WIRING


@everywhere
def test_nothing_from_outside_is_asked_when_a_module_is_imported(path):
    """No clock, client, table or environment at import: a cold start costs what it must, and a test needs no cloud."""
    banned = re.compile(
        r"(boto3\.|time\.|datetime\.|random\.|secrets\.|uuid\.|os\.|client$|connect$|real$|read$|open$)"
    )
    asked = [
        dotted(node.func)
        for node in syntax.at_import(path)
        if isinstance(node, ast.Call) and banned.match(dotted(node.func))
    ]
    assert asked == []


STATUS_WRITES = (".status.set", ".standing.set", *(f"LEASES.{verb}" for verb in ("claim", "end", "ending", "release")))


def status_writes(path: Path) -> list[str]:
    """`X.status.set(...)`, a claim and its end, and `something.status = ...`."""
    sets = [name for name, _ in calls(path) if name.endswith(STATUS_WRITES)]
    targets = [
        dotted(target)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return sets + [name for name in targets if name.endswith(".status")]


@everywhere
def test_a_status_is_written_in_lifecycle_only(path):
    """One file of each holds every transition. (A row's or a task's first status is part of its making, in scatter.)"""
    assert not status_writes(path) or path in {LIFECYCLE, LIBRARY_LIFECYCLE, PACKAGE / "protocol/leases.py"}


@everywhere
def test_a_documents_state_is_written_in_the_librarys_lifecycle_only(path):
    """Likewise. (A document's first state is part of its making, in documents.)"""
    sets = [name for name, _ in calls(path) if name == "Document.state.set"]
    assert not sets or path == LIBRARY_LIFECYCLE


def test_lifecycle_writes_statuses_when_the_rule_above_is_to_mean_anything():
    assert len(status_writes(LIFECYCLE)) >= 7


@everywhere
def test_lifecycle_is_the_only_one_that_writes_rows_and_tasks(path):
    """`store`'s writing verbs are imported by lifecycle, and by those that own another item: the sweeper's lease, payloads. (The library has a lifecycle of its own.)"""
    writing = {f"sheaf.outside.store.{verb}" for verb in ("put", "transact", "update", "delete")}
    owners = {
        "lifecycle.py",
        "document_lifecycle.py",
        "webhook_items.py",
        "leases.py",
        "sweeper_lease.py",
        "queue_look.py",
        "tick.py",
        "provider_gate.py",
        "read_allowance.py",
        "copies.py",
        "quotas.py",
        "spending.py",
        "kept_inside.py",
        "payloads.py",
        "decide.py",
        "check_counts.py",
    }
    allowed = owners | {"store.py"}
    assert not imports(path) & writing or path.name in allowed


@everywhere
def test_dynamodb_is_written_in_store_only(path):
    """Nobody goes round the door that puts a condition on every write."""
    texts = {
        node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not texts & WRITES or path == STORE
    assert not texts & {"batch_write_item", "BatchWriteItem", "execute_statement"}, "◆ it takes no condition"


@pytest.mark.parametrize("verb", sorted(WRITES - {"transact_write_items"}))
def test_every_write_carries_a_condition_when_it_is_made(verb):
    """◆ In store each write takes its condition as an argument that has no default, and sends it."""
    functions = [
        node
        for node in ast.walk(tree(STORE))
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(n, ast.Constant) and n.value == verb for n in ast.walk(node))
    ]
    assert functions, f"store makes no {verb} any more: take it off the list"
    for function in functions:
        source = ast.unparse(function)
        sent = r"_expressions\(condition\)|_said\(world, (Put|Change)\(.*\bcondition\)\)"
        assert re.search(sent, source), function.name
        assert "Condition" in ast.unparse(function.args), function.name
        assert not function.args.defaults, function.name


def test_every_part_of_a_transaction_carries_a_condition_when_it_is_made():
    """◆ Neither write, alone or a part, can be made without one, and both send it."""
    found = {
        node.name: ast.unparse(node) for node in tree(STORE).body if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    assert [re.findall("condition: .*", found[name]) for name in ("Put", "Change")] == [["condition: Condition"]] * 2
    assert found["_said"].count("**_expressions(write.condition") == 2


def test_no_module_asks_dynamodb_for_a_whole_table():
    for path in PRODUCT:
        texts = {node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)}
        assert "scan" not in texts or path == STORE, syntax.name(path)
        whole = [call for name, call in calls(path) if name == "query_raw" and ast.unparse(call.args[2]) == "None"]
        assert all("IndexName='by_active'" in ast.unparse(call) for call in whole), syntax.name(path)


def test_sdk_clients_do_not_retry_for_longer_than_a_lease_when_they_are_made():
    """The one configuration of all clients is wiring's."""
    made = [node for name, node in calls(WIRING) if name == "boto3.client"]
    patient, ours = made
    config = next(
        ast.unparse(node) for name, node in calls(WIRING) if name == "Config" and "seconds" in ast.unparse(node)
    )
    assert "'total_max_attempts': 1" in config, "a model's client asks once; the queue owns the waiting"
    assert {keyword.arg: ast.unparse(keyword.value) for keyword in patient.keywords} == {"config": "config"}
    assert {keyword.arg: ast.unparse(keyword.value) for keyword in ours.keywords} == {
        "config": "CONFIGS.get(service, AWS_CONFIG)"
    }
    other = {name: vars(config)["_user_provided_options"] for name, config in wiring.CONFIGS.items()}
    base = vars(wiring.AWS_CONFIG)["_user_provided_options"]
    unchecked = {**base, "parameter_validation": False}
    signed = {**base, **vars(clients.SIGNED)["_user_provided_options"]}
    assert other == {"s3": signed, "dynamodb": unchecked, "sqs": unchecked}


@everywhere
def test_a_module_says_what_it_promises_when_it_is_read(path):
    assert ast.get_docstring(tree(path)) or path.name == "__init__.py"


def test_the_package_imports_without_an_environment(monkeypatch):
    """Table names and such are read at the first event and not before."""
    for name in ("KINDS", "TASKS_TABLE", "AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    for path in sorted([*PACKAGE.rglob("*.py"), *CLINICAL.rglob("*.py")]):
        name = ".".join(path.relative_to(LAYER).with_suffix("").parts).removesuffix(".__init__")
        importlib.import_module(name)


CACHED = {
    "grams": "a word of the layer's patterns",
    "fold": "a character: of those there are no more than Unicode has",
    "versions": "a built-in template's id",
    "written": "a file of the layer",
    "client": "an AWS service",
    "_plan": "a view's class",
    "whole": "a body's class",
    "_document": "this deployment's kinds and engines",
    "_compiled": "a pattern of a schema",
    "_pattern": "a pattern of the layer's files",
    "patient_client": "an AWS service and a number of seconds",
}
"""What a process remembers by its arguments, and by which: never by a text. A document's own caches belong to its job."""


def cached(path: Path) -> dict[str, ast.FunctionDef]:
    """Functions that a module remembers the answers of."""
    return {
        node.name: node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        and any(
            ast.unparse(each).partition("(")[0].endswith(("lru_cache", "functools.cache", "cache"))
            for each in node.decorator_list
        )
    }


@everywhere
def test_no_text_is_remembered_by_the_process_when_a_function_is_cached(path):
    """◆ A cached function takes nothing, or what is on the list: another tenant's words would stay, and without a bound."""
    for name, function in cached(path).items():
        takes = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        assert not takes or name in CACHED, f"{name} remembers by {ast.unparse(function.args)}"
    assert not [
        name
        for name, _ in calls(path)
        if name in {"lru_cache", "cache", "functools.lru_cache", "functools.cache"} and not cached(path)
    ]


def test_the_rule_on_caches_knows_one_when_it_sees_it():
    found = {name for path in PRODUCT for name in cached(path)}
    assert set(CACHED) <= found
