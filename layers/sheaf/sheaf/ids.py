"""What an id and a project's name look like, wherever one comes in from outside. Pure."""

import re

NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
PROJECT = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
