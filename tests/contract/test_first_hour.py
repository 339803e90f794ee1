"""What a deployment to AWS meets that the emulator does not: regions, rates, costs, what stays when a deploy fails."""

import json

import pytest

from clinical.intake import text_recognition
from clinical.papers.limits import LIMITS, MB
from tests.support import stack_file
from tests.support.policies import bucket_arn, may, may_send

MADE = stack_file.load()
RESOURCES = MADE["Resources"]
STAGE = RESOURCES["HttpStage"]
ROUTES = stack_file.resources(MADE, "AWS::ApiGatewayV2::Route")
OPEN = {
    name: body["Properties"]["RouteKey"]
    for name, body in ROUTES.items()
    if body["Properties"]["AuthorizationType"] == "NONE"
}
KEPT = [name for name, body in RESOURCES.items() if body["Type"].endswith(("::Table", "::Bucket", "::UserPool"))]
TABLES = stack_file.resources(MADE, "AWS::DynamoDB::Table")
IN_A_VPC = {"IntakeFunction", "ExtractPaperFunction"}
TOLD = {"Fn::If": ["WithAlarmEmail", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}


@pytest.mark.parametrize("name", OPEN)
def test_a_route_that_anybody_may_call_has_a_rate_of_its_own_when_somebody_floods_it(name):
    """Both limits, because one that is not said is none; and after its route, because a rate for no route fails the deploy."""
    given = STAGE["Properties"]["RouteSettings"][OPEN[name]]
    usual = STAGE["Properties"]["DefaultRouteSettings"]
    assert given.keys() == usual.keys() == {"ThrottlingBurstLimit", "ThrottlingRateLimit"}
    assert all(0 < given[limit] <= usual[limit] for limit in usual)
    assert given["ThrottlingRateLimit"] < usual["ThrottlingRateLimit"]
    assert name in STAGE["DependsOn"]


def test_no_rate_is_set_for_a_route_that_is_not_there():
    assert set(STAGE["Properties"]["RouteSettings"]) == set(OPEN.values())
    assert set(STAGE["DependsOn"]) == set(OPEN)


def test_samples_cost_their_owner_little_when_somebody_takes_them_for_a_day():
    """The largest of them as often as it is given, at 0.09 dollars a gigabyte; and the page itself takes all at once."""
    rate = STAGE["Properties"]["RouteSettings"]["ANY /samples/{path+}"]
    files = [file.stat().st_size for file in (stack_file.ROOT / "samples").iterdir() if file.is_file()]
    assert rate["ThrottlingRateLimit"] * max(files) * 86_400 / 1e9 * 0.09 < 25
    assert rate["ThrottlingBurstLimit"] > len(files)


@pytest.mark.parametrize("name", KEPT)
def test_data_stays_when_its_stack_goes_and_not_when_the_stack_never_came_to_be(name):
    assert RESOURCES[name]["DeletionPolicy"] == "RetainExceptOnCreate"
    assert RESOURCES[name]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.parametrize("name", sorted({*TABLES, "UserPool"}))
def test_a_table_or_the_pool_is_protected_when_the_parameter_says_so(name):
    told = RESOURCES[name]["Properties"]
    value = told["DeletionProtectionEnabled"] if name in TABLES else told["DeletionProtection"]
    assert value == {"Fn::If": ["Protected", *((True, False) if name in TABLES else ("ACTIVE", "INACTIVE"))]}
    assert MADE["Conditions"]["Protected"] == {"Fn::Equals": [{"Ref": "DeletionProtection"}, "true"]}
    assert MADE["Parameters"]["DeletionProtection"]["Default"] == "false"


@pytest.mark.parametrize("name", stack_file.resources(MADE, "AWS::CloudWatch::Alarm"))
def test_an_alarm_writes_to_the_address_when_it_rings_and_when_it_is_over(name):
    told = RESOURCES[name]["Properties"]
    assert (told["AlarmActions"], told["OKActions"]) == (TOLD, TOLD)


def test_there_is_a_topic_when_there_is_an_address_and_none_otherwise():
    assert "AlarmTopic" not in stack_file.configured(MADE)["Resources"]
    topic = stack_file.configured(MADE, AlarmEmail="you@example.org")["Resources"]["AlarmTopic"]
    assert topic["Properties"]["Subscription"] == [{"Protocol": "email", "Endpoint": {"Ref": "AlarmEmail"}}]


def test_two_regions_have_two_dashboards_when_their_stacks_have_one_name():
    """Names of dashboards are the account's: the second stack would be rolled back."""
    assert RESOURCES["Dashboard"]["Properties"]["DashboardName"] == {"Fn::Sub": "${AWS::StackName}-${AWS::Region}"}


def test_no_address_of_aws_is_one_partition_s_own_when_it_is_written():
    """A service's name ends so everywhere; an address does not."""
    text = json.dumps({name: body for name, body in RESOURCES.items() if name != "Dashboard"})
    hosts = [part for part in text.split('"') if "amazonaws.com" in part]
    assert hosts
    assert {host for host in hosts if "/" in host or ":" in host} == set()


def test_the_queue_takes_the_notices_of_the_stack_s_own_bucket_when_others_are_refused():
    """The others: tests/attacks. One name, made twice, because neither may refer to the other."""
    assert may_send(MADE, "IntakeQueue", bucket_arn(MADE, "DataBucket"))


def test_the_readers_stand_in_a_vpc_when_one_is_named():
    told = {
        name: body["Properties"].get("VpcConfig") for name, body in RESOURCES.items() if "Serverless::F" in body["Type"]
    }
    assert {name for name, config in told.items() if config} == IN_A_VPC
    for name in IN_A_VPC:
        condition, config, nothing = told[name]["Fn::If"]
        assert (condition, nothing) == ("InVpc", {"Ref": "AWS::NoValue"})
        assert config == {"SubnetIds": {"Ref": "VpcSubnets"}, "SecurityGroupIds": {"Ref": "VpcSecurityGroups"}}


@pytest.mark.parametrize("name", sorted(IN_A_VPC))
def test_code_touches_no_network_interface_when_lambda_may_for_it(name):
    """SAM gives the role Lambda's own rights on interfaces, on all of the account's."""
    wide = {"Effect": "Allow", "Action": "ec2:DeleteNetworkInterface", "Resource": "*"}
    made = json.loads(json.dumps(MADE))
    made["Resources"][name]["Properties"]["Policies"][0]["Statement"].append(wide)
    ours = {"lambda:SourceFunctionArn": ["arn:aws:lambda:::function:intake"]}
    assert not may(made, name, "ec2:DeleteNetworkInterface", "any", ours)
    assert may(made, name, "ec2:DeleteNetworkInterface", "any", {})


@pytest.mark.parametrize("name", [name for name, told in MADE["Parameters"].items() if told["Type"] == "Number"])
def test_a_number_that_aws_would_refuse_late_is_refused_at_once(name):
    told = MADE["Parameters"][name]
    assert "AllowedValues" in told or {"MinValue", "MaxValue"} <= told.keys()
    least, most = told.get("MinValue", 0), told.get("MaxValue", 10**9)
    assert least <= told["Default"] <= most


@pytest.mark.parametrize("name", MADE["Parameters"])
def test_a_parameter_says_what_it_is_for_when_the_console_asks(name):
    assert MADE["Parameters"][name].get("Description", "").endswith(".")


@pytest.mark.parametrize("name", stack_file.resources(MADE, "AWS::Serverless::Function"))
def test_a_function_s_memory_is_a_parameter_that_lambda_takes(name):
    (parameter,) = RESOURCES[name]["Properties"]["MemorySize"].values()
    assert MADE["Parameters"][parameter]["MinValue"] >= 128
    assert MADE["Parameters"][parameter]["MaxValue"] <= 10_240


def test_the_intake_s_memory_holds_the_reader_when_it_is_the_least():
    """The reader's own limit has to be what stops it, and as much again is the parent's: it holds the file and the text."""
    assert MADE["Parameters"]["IntakeMemoryMb"]["MinValue"] * MB >= 2 * LIMITS.memory_bytes


def test_executions_are_kept_for_the_api_and_the_aggregator_when_they_are_asked_for():
    """And for none by default: an account of ten executions can keep none. Nothing else may keep others from working."""
    kept = {
        name: body["Properties"]["ReservedConcurrentExecutions"]
        for name, body in stack_file.resources(MADE, "AWS::Serverless::Function").items()
        if "ReservedConcurrentExecutions" in body["Properties"]
    }
    assert kept == {
        f"{name}Function": {"Fn::If": [f"ReservesFor{name}", {"Ref": f"ReservedFor{name}"}, {"Ref": "AWS::NoValue"}]}
        for name in ("Api", "Aggregator")
    }
    for name in ("ReservedForApi", "ReservedForAggregator"):
        assert MADE["Parameters"][name]["Default"] == 0
        condition = MADE["Conditions"][name.replace("Reserved", "Reserves")]
        assert condition == {"Fn::Not": [{"Fn::Equals": [{"Ref": name}, "0"]}]}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_costs_nothing_for_its_encryption_when_nobody_uses_it(name):
    """Unset is a key that DynamoDB owns; set is one in KMS, which is paid for every use, the minute's tick included."""
    assert "SSESpecification" not in RESOURCES[name]["Properties"]


def test_a_file_that_waits_for_a_slow_server_is_no_dead_letter_when_each_look_is_a_receive():
    """Or the alarm would ring for nothing, hours before the document's own patience is over."""
    looks = waited = 0
    while waited * 1000 <= text_recognition.PATIENCE_MS:
        looks += 1
        waited += min(text_recognition.LOOK_SECONDS * looks, text_recognition.LOOK_MAX_SECONDS)
    assert looks < MADE["Parameters"]["MaxReceives"]["Default"]


def test_every_parameter_is_in_one_group_when_the_console_asks_for_them():
    """In the order in which the template has them, so that the two lists are read as one."""
    groups = MADE["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert [name for group in groups for name in group["Parameters"]] == list(MADE["Parameters"])
