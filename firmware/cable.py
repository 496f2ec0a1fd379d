"""The serial line over USB, on which the node speaks with the host."""

import select
import sys

import micropython

MOST_AT_ONCE = 64


class Cable:
    """Takes and sends bytes; what the host does not take in time is lost.

    A host that holds the port open and does not read costs half a second, once: so long MicroPython waits with the rest
    of the frame that fills its buffer; after that there is no room, and nothing is begun.
    """

    def __init__(self) -> None:
        # No byte is Ctrl-C any more: otherwise noise on the line could end the program.
        micropython.kbd_intr(-1)
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._arrived = select.poll()
        self._arrived.register(sys.stdin, select.POLLIN)
        self._room = select.poll()
        self._room.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)
        self._bytes = bytearray(MOST_AT_ONCE)

    def read(self) -> bytes:
        """What has come in; with nothing there, this allocates nothing."""
        count = 0
        while count < MOST_AT_ONCE and self._is_ready(self._arrived):
            self._in.readinto(self._byte)
            self._bytes[count] = self._byte[0]
            count += 1
        return bytes(self._bytes[:count]) if count else b""

    def write(self, frame: memoryview) -> None:
        """Send a frame, if there is room for its beginning."""
        if self._is_ready(self._room):
            self._out.write(frame)

    def _is_ready(self, poll: "select.poll") -> bool:
        # `ipoll` gives the same tuple each time, where `poll` makes a list
        for _ in poll.ipoll(0):
            return True
        return False

    def give_back(self) -> None:
        """Let Ctrl-C mean what it usually means."""
        micropython.kbd_intr(3)
