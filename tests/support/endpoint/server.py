"""A local HTTP server that speaks Chat Completions, in a thread; what it says is a script.

It keeps a log of every request, counts tokens as a provider does, and can be slow.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.support.endpoint.batches import Batches
from tests.support.endpoint.tokens import count

#: Sections of a conversation cost a few tokens of their own.
_PER_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a completion.

    Attributes:
        number: In order of arrival, from 0.
        occurrence: How many requests with the same messages came before it.
    """

    number: int
    occurrence: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def system(self) -> str:
        """The first message."""
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a script answers.

    Attributes:
        text: Content of the completion; None together with a ``refusal``.
        body: The whole body instead of a completion: a JSON value, or text sent as HTML.
        seconds: How long the answer takes, beside the endpoint's latency.
        drop: Close the connection instead of answering.
    """

    text: str | None = None
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    drop: bool = False


Script = Callable[[Request], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A request that was answered, in part or in whole.

    Attributes:
        delivered: The client took the whole answer.
    """

    request: Request
    answer: Answer
    started: float
    ended: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    delivered: bool = False


class Endpoint:
    """The server; a context manager.

    Args:
        script: Answers every request for a completion.
        latency: Seconds every answer takes at least.

    Attributes:
        batches: What was posted to be answered later; answered by the same script.
    """

    def __init__(self, script: Script, *, latency: float = 0.0) -> None:
        self._script = script
        self._latency = latency
        self._lock = threading.Condition()
        self._sending = 0
        self._log: list[Logged] = []
        self._asked: dict[str, int] = {}
        self._numbers = 0
        self._stopping = threading.Event()
        self.batches = Batches(self._posted)
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The base URL of the API."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def log(self) -> list[Logged]:
        """What was answered so far, in the order in which the answers ended.

        A client has its answer a moment before it is known to be delivered: that is waited for.
        """
        with self._lock:
            self._lock.wait_for(lambda: self._sending == 0, timeout=1)
            return list(self._log)

    @property
    def calls(self) -> int:
        """How many requests for a completion came in."""
        with self._lock:
            return self._numbers

    @property
    def input_tokens(self) -> int:
        """Tokens of all messages that were answered with a completion."""
        return sum(logged.input_tokens for logged in self.log)

    @property
    def output_tokens(self) -> int:
        """Tokens of all completions."""
        return sum(logged.output_tokens for logged in self.log)

    def take(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Logged:
        """The request that came in, with the script's answer, after the time the answer takes."""
        request = self._request(body, headers)
        started = time.monotonic()
        answer = self._script(request)
        self._stopping.wait(self._latency + answer.seconds)
        return Logged(request=request, answer=answer, started=started)

    def _request(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Request:
        with self._lock:
            said = json.dumps(body.get("messages"))
            occurrence = self._asked.get(said, 0)
            self._asked[said] = occurrence + 1
            self._numbers += 1
            return Request(self._numbers - 1, occurrence, body, headers)

    def _posted(self, body: Mapping[str, Any]) -> tuple[int, Any]:
        """The answer to a call of a batch."""
        request = self._request(body, {})
        answer = self._script(request)
        now = time.monotonic()
        logged, content = _content(Logged(request=request, answer=answer, started=now))
        self.keep(replace(logged, delivered=True))
        return answer.status, content

    def keep(self, logged: Logged) -> None:
        """Add an answered request to the log."""
        with self._lock:
            self._log.append(replace(logged, ended=time.monotonic()))

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Around an answer on its way, and its entry in the log."""
        with self._lock:
            self._sending += 1
        try:
            yield
        finally:
            with self._lock:
                self._sending -= 1
                self._lock.notify_all()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no error of the endpoint."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            with suppress(ConnectionError):  # the client went away before the request was whole
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/v1/chat/completions":
                    self._complete(json.loads(body))
                elif self.path == "/v1/files":
                    self._send(*endpoint.batches.upload(body, self.headers["Content-Type"]), {})
                elif self.path == "/v1/batches":
                    self._create(json.loads(body))
                else:
                    self._send(404, {"error": {"message": f"no such path: {self.path}"}}, {})

        def do_GET(self) -> None:
            self._send(*endpoint.batches.get(self.path), {})

        def _create(self, body: Mapping[str, Any]) -> None:
            answer = endpoint.batches.create(body)
            if answer is None:
                self.close_connection = True
            else:
                self._send(*answer, {})

        def _complete(self, body: Mapping[str, Any]) -> None:
            logged = endpoint.take(body, dict(self.headers))
            if logged.answer.drop:
                self.close_connection = True
                endpoint.keep(logged)
                return
            logged, content = _content(logged)
            with endpoint.sending():
                try:
                    self._send(logged.answer.status, content, logged.answer.headers)
                except ConnectionError:  # the client went away while the answer was made
                    endpoint.keep(logged)
                    return
                endpoint.keep(replace(logged, delivered=True))

        def _send(self, status: int, content: Any, headers: Mapping[str, str]) -> None:
            is_page = isinstance(content, str)
            data = content.encode() if is_page else json.dumps(content).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "text/html" if is_page else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    return Handler


def _content(logged: Logged) -> tuple[Logged, Any]:
    """The body of the answer, and the log's entry with the tokens it cost."""
    answer, body = logged.answer, logged.request.body
    if answer.body is not None or answer.status >= 400:
        return logged, answer.body or {"error": {"message": f"scripted {answer.status}"}}
    told = sum(count(str(message["content"])) + _PER_MESSAGE for message in body["messages"])
    said = count(answer.text or "")
    message = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
    completion = {
        "id": f"chatcmpl-{logged.request.number}",
        "object": "chat.completion",
        "created": 0,
        "model": f"{body['model']}-2026-01-01",
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": {
            "prompt_tokens": told,
            "completion_tokens": said,
            "total_tokens": told + said,
        },
    }
    return replace(logged, input_tokens=told, output_tokens=said), completion
