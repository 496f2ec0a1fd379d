"""Runs first in the interpreter: puts the stand-ins in place, then does what a Pico does when it gets power."""

import builtins
import os
import sys

import _board

sys.path[:] = ["/flash", "/stand_ins", ".frozen"]
os.chdir("/flash")


class _Input:
    def readinto(self, buffer):
        buffer[0] = _board.take()
        return 1


class _Output:
    def write(self, data):
        from uctypes import addressof

        _board.send(addressof(data), len(data))


class _Stream:
    def __init__(self, buffer):
        self.buffer = buffer


class _Sys:
    """What a program sees of `sys` that has the cable as its standard input and output."""

    def __init__(self):
        self.path = sys.path
        self.implementation = sys.implementation
        self.print_exception = sys.print_exception
        self.stdin = _Stream(_Input())
        self.stdout = _Stream(_Output())


sys.modules["sys"] = _Sys()
# Another one after each start, and the same in each run of a test.
os.urandom = lambda count: (_board.us() + _board.start() * 7919).to_bytes(4, "little")[:count]


def _with_errors_of_a_pico(function):
    def call(*given):
        try:
            return function(*given)
        except OSError as error:
            # WebAssembly counts its errors otherwise: 44 is ENOENT there
            raise OSError(2 if error.errno == 44 else error.errno) from None

    return call


os.stat = _with_errors_of_a_pico(os.stat)
builtins.open = _with_errors_of_a_pico(open)

for _name in ("boot", "main"):
    try:
        os.stat(_name + ".py")
    except OSError:
        continue
    with open(_name + ".py") as _file:
        exec(_file.read(), {"__name__": "__main__"})
