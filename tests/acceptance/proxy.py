"""A TCP forwarder that listens in: a port mapping, a broken cable, and a log of what was sent.

It understands just enough of the Bolt protocol to say which database each query was sent to.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

_HELLO = b"\xb1\x01"
_RUN, _BEGIN = 0x10, 0x11
_ENDS_TRANSACTION = (0x12, 0x13, 0x0F)  # COMMIT, ROLLBACK, RESET
_COMMIT = b"\x00\x02\xb0\x12\x00\x00"  # the whole message as it is sent


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the cable breaks: at the next commit after a client has sent these bytes.

    Attributes:
        after: The bytes.
        is_late: The commit still reaches the server, but its answer never reaches the client.
    """

    after: bytes
    is_late: bool = False


class Proxy:
    """Forwards a free port on the loopback address to another one; a context manager.

    Args:
        port: Where to forward to.
        cut: Where every connection breaks, if it does.
        listen: On which port; 0: a free one.
    """

    def __init__(self, port: int, cut: Cut | None = None, listen: int = 0) -> None:
        self._upstream = port
        self._cut = cut
        self._sent: list[bytearray] = []
        self._received: list[bytearray] = []
        self._open: list[socket.socket] = []
        #: How many connections were cut.
        self.cuts = 0
        self._listener = socket.create_server(("127.0.0.1", listen))
        self._threads = [threading.Thread(target=self._accept)]
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._open:
            _close(each)
        for thread in self._threads:
            thread.join()

    @property
    def connections(self) -> int:
        """How many connections were made."""
        return len(self._sent)

    def answers(self, words: bytes) -> int:
        """How often the server said these words."""
        return sum(bytes(stream).count(words) for stream in self._received)

    def databases(self) -> list[str | None]:
        """The database of every transaction and auto-commit query, in order; None: not named."""
        return [name for stream in self._sent for name in _databases(bytes(stream))]

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._upstream))
                except OSError:
                    client.close()
                    continue
                self._open += client, server
                self._sent.append(bytearray())
                self._received.append(bytearray())
                is_cut = threading.Event()
                for target, arguments in (
                    (self._forth, (client, server, self._sent[-1], is_cut)),
                    (_back, (server, client, self._received[-1], is_cut)),
                ):
                    self._threads.append(threading.Thread(target=target, args=arguments))
                    self._threads[-1].start()

    def _forth(
        self, client: socket.socket, server: socket.socket, log: bytearray, is_cut: threading.Event
    ) -> None:
        """Pass on what the client says, up to the cut."""
        with suppress(OSError):  # either side was closed
            while data := client.recv(65_536):
                if self._cut and _COMMIT in data and _says(bytes(log + data), self._cut.after):
                    is_cut.set()
                    self.cuts += 1
                    if not self._cut.is_late:
                        break
                log += data
                server.sendall(data)
        _close(client)
        _close(server)


def _back(
    server: socket.socket, client: socket.socket, log: bytearray, is_cut: threading.Event
) -> None:
    """Pass on what the server says, up to the cut."""
    with suppress(OSError):  # either side was closed
        while (data := server.recv(65_536)) and not is_cut.is_set():
            log += data
            client.sendall(data)
    _close(server)
    _close(client)


def _close(stream: socket.socket) -> None:
    with suppress(OSError):
        stream.shutdown(socket.SHUT_RDWR)
    stream.close()


def _messages(stream: bytes) -> Iterator[bytes]:
    """The messages of a client after the handshake, put together from their chunks."""
    at = stream.find(_HELLO) - 2
    message = b""
    while 0 <= at < len(stream) - 1:
        size = int.from_bytes(stream[at : at + 2])
        message += stream[at + 2 : at + 2 + size]
        at += 2 + size
        if size == 0 and message:
            yield message
            message = b""


def _says(stream: bytes, words: bytes) -> bool:
    """True when one of a client's messages holds the words."""
    return any(words in message for message in _messages(stream))


def _databases(stream: bytes) -> Iterator[str | None]:
    in_transaction = False
    for message in _messages(stream):
        kind = message[1]
        if kind == _BEGIN or (kind == _RUN and not in_transaction):
            yield _named(message)
        in_transaction = kind == _BEGIN or (in_transaction and kind not in _ENDS_TRANSACTION)


def _named(message: bytes) -> str | None:
    """The text after the entry ``db`` of the message's last map."""
    _, found, rest = message.rpartition(b"\x82db")
    return rest[1 : 1 + rest[0] - 0x80].decode() if found else None
