"""Files and Batches as the endpoint keeps them: calls posted now, answered when a test says so."""

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

#: Answers the body of one call: a status and a body.
Answerer = Callable[[Mapping[str, Any]], tuple[int, Any]]

Reply = tuple[int, Any]


class Batches:
    """The state behind the paths of the Batch API.

    Args:
        answer: Answers one call.

    Attributes:
        open: Posted batches are answered when they are next looked at; else they wait.
        most: How many calls of a batch are answered before it expires; None: all.
        invalid: Batches fail as a whole, with this reason.
        lose_replies: So many batches are created without the client being told.
    """

    def __init__(self, answer: Answerer) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, dict[str, Any]] = {}
        self.open = True
        self.most: int | None = None
        self.invalid: str | None = None
        self.lose_replies = 0

    @property
    def count(self) -> int:
        """How many batches were created."""
        with self._lock:
            return len(self._batches)

    def calls(self) -> list[dict[str, Any]]:
        """The calls of all batches, as they were posted."""
        with self._lock:
            files = [self._files[batch["input_file_id"]] for batch in self._batches.values()]
        return [json.loads(line) for file in files for line in file.splitlines()]

    def upload(self, body: bytes, content_type: str) -> Reply:
        """POST /v1/files: keep the part named ``file`` of a form."""
        boundary = content_type.partition("boundary=")[2].strip('"').encode()
        parts = [part.strip(b"\r\n") for part in body.split(b"--" + boundary)]
        [content] = [
            part.partition(b"\r\n\r\n")[2] for part in parts if b'name="file"' in part[:200]
        ]
        with self._lock:
            name = f"file-{len(self._files)}"
            self._files[name] = content
        return 200, {"id": name, "object": "file", "purpose": "batch", "bytes": len(content)}

    def create(self, body: Mapping[str, Any]) -> Reply | None:
        """POST /v1/batches: None when the answer is to be lost on the way."""
        with self._lock:
            name = f"batch_{len(self._batches)}"
            total = len(self._files[body["input_file_id"]].splitlines())
            self._batches[name] = {
                "id": name,
                "object": "batch",
                "status": "validating",
                "created_at": len(self._batches),
                "request_counts": {"total": total, "completed": 0, "failed": 0},
                **body,
            }
            if self.lose_replies:
                self.lose_replies -= 1
                return None
            return 200, self._batches[name]

    def get(self, path: str) -> Reply:
        """GET below /v1/batches or /v1/files."""
        kind, _, name = path.partition("?")[0].removeprefix("/v1/").partition("/")
        if kind == "files":
            return 200, self._files[name.removesuffix("/content")].decode()
        if not name:
            newest = list(reversed(self._batches.values()))
            return 200, {"object": "list", "data": newest, "has_more": False}
        if name not in self._batches:
            return 404, {"error": {"message": f"no batch {name}", "type": "invalid_request"}}
        batch = self._batches[name]
        if self.open and batch["status"] in ("validating", "in_progress"):
            self._finish(batch)
        elif not self.open:
            batch["status"] = "in_progress"
        return 200, batch

    def _finish(self, batch: dict[str, Any]) -> None:
        if self.invalid:
            batch["status"] = "failed"
            batch["errors"] = {"object": "list", "data": [{"message": self.invalid}]}
            return
        lines = [json.loads(line) for line in self._files[batch["input_file_id"]].splitlines()]
        answered = [
            self._line(line)
            for line in reversed(lines[: self.most])  # answers come in any order
        ]
        good = [line for line in answered if line["response"]["status_code"] == 200]
        bad = [line for line in answered if line["response"]["status_code"] != 200]
        counts = {"total": len(lines), "completed": len(good), "failed": len(bad)}
        is_whole = self.most is None or self.most >= len(lines)
        batch |= {"status": "completed" if is_whole else "expired", "request_counts": counts}
        for kind, found in (("output", good), ("error", bad)):
            if found:
                batch[f"{kind}_file_id"] = f"{batch['id']}-{kind}"
                text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found)
                self._files[f"{batch['id']}-{kind}"] = text.encode()

    def _line(self, line: Mapping[str, Any]) -> dict[str, Any]:
        status, body = self._answer(line["body"])
        response = {"status_code": status, "request_id": "r", "body": body}
        return {"id": "b", "custom_id": line["custom_id"], "response": response, "error": None}
