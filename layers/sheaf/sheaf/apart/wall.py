"""The wall round a process that reads a hostile file: what it may still ask of Linux is memory, its open files and its end.

`stand` puts it up, for good: all else (a file, a process, a socket, a signal, memory that becomes code) is answered with EPERM. So
all that reading takes has to be imported before.
"""

import ctypes
import platform
import resource
import signal
import struct
import sys

REQUIRED, WHERE_POSSIBLE, NONE = "required", "where_possible", "none"
"""What becomes of a file where no wall can be put up: it is not read, or read all the same; or none is wanted, to measure it."""

SET_DEATH_SIGNAL, SET_DUMPABLE, SET_NO_NEW_PRIVILEGES = 1, 4, 38
SET_FILTER, KEEP_SPECULATING = 1, 4
"""The second because a filter else slows all of a process down on older kernels, for secrets that this one does not have."""
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000
LOAD, EQUALS, HAS, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, MACHINE, PROTECTION = 0, 4, 32  # where the filter finds the call, the machine and what memory is for
EXECUTE = 4

MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}
"""Which column of the table below is theirs, their mark, and their number of the call that sets a filter."""
MAPPING = {"mmap": (9, 222), "mprotect": (10, 226)}
OTHERS = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "lseek": (8, 62), "munmap": (11, 215), "brk": (12, 214),
    "mremap": (25, 216), "madvise": (28, 233), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "getpid": (39, 172), "gettid": (186, 178), "futex": (202, 98), "sched_yield": (24, 124), "clock_gettime": (228, 113),
    "gettimeofday": (96, 169), "getrandom": (318, 278), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
"""All that passes; a call that Linux learns tomorrow does not."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def hide() -> None:
    """Keep this process's memory, environment and files from other processes of the same user, where the kernel can."""
    if sys.platform == "linux":
        _set(SET_DUMPABLE, 0)


def stand() -> bool:
    """Put the wall up round this process; False where the kernel does not let it."""
    machine = MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None:
        return False
    _set(SET_DEATH_SIGNAL, signal.SIGKILL)
    _set(SET_NO_NEW_PRIVILEGES, 1)
    # For the kernel's superuser this one does not hold; the filter does.
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    column, mark, setting = machine
    code = program(column, mark)
    passed = _Program(len(code) // 8, code)
    words = map(ctypes.c_long, (setting, SET_FILTER, KEEP_SPECULATING))
    return bool(ctypes.CDLL(None).syscall(*words, ctypes.byref(passed)) == 0)


def program(column: int, mark: int) -> bytes:
    """The filter: the calls of the table pass, memory that may be executed does not, and nor does anything else."""
    mapping, others = ([numbers[column] for numbers in table.values()] for table in (MAPPING, OTHERS))
    last = len(mapping) + len(others)
    steps = [(LOAD, 0, 0, MACHINE), (EQUALS, 1, 0, mark), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    # Each jumps over the comparisons behind it: to the look at the memory's purpose, or three steps further to the end.
    steps += [(EQUALS, last - at, 0, call) for at, call in enumerate(mapping)]
    steps += [(EQUALS, last - at + 3, 0, call) for at, call in enumerate(others, len(mapping))]
    steps += [(RETURN, 0, 0, REFUSE), (LOAD, 0, 0, PROTECTION), (HAS, 0, 1, EXECUTE)]
    steps += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _set(option: int, value: int) -> None:
    """One prctl. That it was refused is no matter: what stands is told by the filter."""
    ctypes.CDLL(None).prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))
