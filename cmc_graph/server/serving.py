"""Serves guide, style and favourites to Neo4j Browser, on this machine only.

Browser takes guides and styles from an address alone, and only from hosts that it allows: of this
machine's names that is ``localhost``. This module must not know what the documents say.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from cmc_graph.errors import ServerError
from cmc_graph.server.assets import DOCUMENTS
from cmc_graph.server.info import HOST


@contextmanager
def serving() -> Iterator[str]:
    """The address at which the documents are served until the block is left.

    Raises:
        ServerError: No port can be listened on.
    """
    try:
        server = ThreadingHTTPServer((HOST, 0), _Documents)
    except OSError as error:
        raise ServerError(f"cannot serve the guide on {HOST}: {error.strerror}") from error
    with server:
        thread = Thread(target=server.serve_forever, name="cmc-graph-guide", daemon=True)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Documents(BaseHTTPRequestHandler):
    """Answers requests for the documents, which hold no secret, from any page."""

    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds, after which an idle connection is closed

    def do_GET(self) -> None:
        """The document of that name."""
        kind, document = DOCUMENTS.get(self.path.removeprefix("/"), ("", None))
        if document is None:
            self.send_error(404)
            return
        body = document(f"http://localhost:{self.connection.getsockname()[1]}")
        self._answer(200, {"Content-Type": kind, "Content-Length": str(len(body))})
        self.wfile.write(body)

    def do_OPTIONS(self) -> None:
        """Browser asks first whether it may send headers of its own; they change nothing here."""
        self._answer(204, {"Access-Control-Allow-Headers": "*"})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base
        """Nothing: standard error is for people."""

    def _answer(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
