"""A local server for vectors and reranking that looks at words, without any model."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cmc_graph.text import tokens
from tests.support.bag_of_words import BagOfWords


@contextmanager
def vector_server(requests: list[dict[str, Any]], *, lose: int = 0) -> Iterator[str]:
    """The address of a server that notes its requests and leaves so many answers out."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(body)
            answer = {"/v1/embeddings": _embedded, "/v1/rerank": _judged}[self.path](body)
            for rows in answer.values():
                del rows[: min(lose, len(rows))]
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _embedded(body: dict[str, Any]) -> dict[str, list[Any]]:
    """Vectors of any length, in another order than asked for."""
    rows = BagOfWords().embed(body["input"]) * 3
    vectors = [{"index": n, "embedding": row.tolist()} for n, row in enumerate(rows)]
    return {"data": vectors[::-1]}


def _judged(body: dict[str, Any]) -> dict[str, list[Any]]:
    """Shared words, the best text first."""
    asked = set(tokens(body["query"]))
    scores = [len(asked.intersection(tokens(text))) for text in body["documents"]]
    results = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
    return {"results": sorted(results, key=lambda each: -each["relevance_score"])}
