"""`python -m sheaf_client`: the command `sheaf` where nothing is installed."""

from sheaf_client.commands import cli

cli(prog_name="sheaf")
