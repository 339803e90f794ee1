"""A module that a library imports and this function never uses is read at its first use, which does not come."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Unread(ModuleType):
    def __getattr__(self, name: str) -> Any:
        del sys.modules[self.__name__]
        self.__dict__.update(vars(import_module(self.__name__)))
        return self.__dict__[name]


def put_off(name: str) -> None:
    sys.modules.setdefault(name, _Unread(name))
