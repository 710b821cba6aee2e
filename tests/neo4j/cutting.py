"""A forwarder that loses the answer to a commit: the server has written, the client never knows."""

import socket
import threading
from contextlib import suppress
from typing import Self

_COMMIT = b"\x00\x02\xb0\x12\x00\x00"  # the whole Bolt message as it is sent


class Cutting:
    """Forwards a free port to another one, and loses answers to commits; a context manager.

    Args:
        host: Where to forward to.
        port: The same.

    Attributes:
        lose: How many answers to lose in all.
        lost: How many were lost.
    """

    def __init__(self, host: str, port: int) -> None:
        self._upstream = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept)]
        self._open: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        self.lose = 0
        self.lost = 0

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

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._upstream)
                self._open += client, server
                losing = threading.Event()
                for target in (self._requests, self._answers):
                    thread = threading.Thread(target=target, args=(client, server, losing))
                    self._threads.append(thread)
                    thread.start()

    def _requests(
        self, client: socket.socket, server: socket.socket, losing: threading.Event
    ) -> None:
        with suppress(OSError):  # either side was closed
            while data := client.recv(65_536):
                if data.endswith(_COMMIT) and self.lost < self.lose:
                    losing.set()
                server.sendall(data)
        _close(server)

    def _answers(
        self, client: socket.socket, server: socket.socket, losing: threading.Event
    ) -> None:
        with suppress(OSError):  # either side was closed
            while data := server.recv(65_536):
                if losing.is_set():
                    self.lost += 1
                    break
                client.sendall(data)
        _close(client)
        _close(server)


def _close(stream: socket.socket) -> None:
    with suppress(OSError):
        stream.shutdown(socket.SHUT_RDWR)
    stream.close()
