"""The one place that talks to a model: any endpoint that speaks OpenAI's Chat Completions.

One ``ChatModel`` serves one run: it learns what the endpoint accepts, waits when it is told to,
keeps to the run's budget and adds up what was used. After an error that waiting cannot cure, every
further call fails without being sent. This module must not know what is asked for.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import openai
from pydantic import BaseModel, SecretStr
from tenacity import RetryCallState, Retrying, retry_if_exception, sleep_using_event

from cmc_graph.errors import EndpointError
from cmc_graph.llm import batch_lines, errors
from cmc_graph.llm.chat import Call, Collected, Reply, Schema
from cmc_graph.llm.dialect import Dialect, Format, reply
from cmc_graph.llm.endpoint import Endpoint
from cmc_graph.llm.usage import Limits, Meter, Usage

#: How often a request is sent again after an error of the server or the connection.
_ATTEMPTS = 4
#: What a posted batch is marked with, so that it is found again, and how many are looked through.
_MARK, _MOST_BATCHES = "cmc_graph", 100

_log = logging.getLogger(__name__)

T = TypeVar("T")


class ChatModel:
    """One model at one endpoint; may be used by several threads.

    Args:
        name: The model, as the endpoint names it.
        base_url: Address of the API; None: OpenAI's.
        api_key: None for local servers that ask for none.
        response_format: How JSON is asked for; ``auto`` finds out what the endpoint knows.

    Raises:
        ConfigurationError: No model, neither key nor address, or an address that is none.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: SecretStr | None = None,
        response_format: Format = "auto",
        limits: Limits | None = None,
    ) -> None:
        self.name = name
        self._limits = limits or Limits()
        # The client would also retry an exhausted quota, and longer than a person waits.
        self._endpoint = Endpoint(name, base_url, api_key, self._limits, retries=0)
        self._is_auto = response_format == "auto"
        self._dialect = Dialect("json_schema" if self._is_auto else response_format)
        self._first = threading.Lock()  # until one call has succeeded, calls go one by one
        self._answered = False
        self._meter = Meter(self._limits)
        self._broken: EndpointError | None = None
        self._halted = threading.Event()
        self._told_until = 0.0

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._meter.used

    def chat(
        self, system: str, user: str, *, schema: Schema | None = None, max_tokens: int | None = None
    ) -> Reply:
        """The model's answer, at temperature 0 where the model takes it.

        Raises:
            EndpointError: The endpoint cannot be reached, refuses, has no quota left, is no such
                endpoint, or the run's budget is used up. Every later call fails the same way.
        """
        call = Call(system, user, schema, max_tokens)
        with self._first:
            if not self._answered:
                answer = self._within_budget(call)
                self._answered = True
                return answer
        return self._within_budget(call)

    def submit(self, calls: Mapping[str, Call], mark: str) -> str:
        """The endpoint's name for these calls; calls posted under the mark before are not again.

        They are asked for in the dialect found out so far, by ``chat``.

        Args:
            calls: By name.
            mark: Tells what is posted apart from all else.

        Raises:
            EndpointError: As ``chat``; also if the calls together pass the run's budget.
        """
        self._check()
        expected = sum((call.expected for call in calls.values()), Usage())
        self._meter.end(self._meter.begin(expected), Usage())
        content = batch_lines.lines(calls, self.name, self._dialect)
        with self._posting():
            file = self._patiently(lambda: self._upload(content))
            return self._patiently(lambda: self._marked(mark) or self._post(file, mark))

    def collect(self, posted: str) -> Collected:
        """What has come of the calls of that name.

        Raises:
            EndpointError: As ``chat``.
        """
        with self._posting():
            batch = self._patiently(lambda: _state(self._endpoint.client.batches.retrieve(posted)))
            files = [batch.output_file_id, batch.error_file_id] if batch.ended else []
            content = "\n".join(self._patiently(partial(self._download, f)) for f in files if f)
            replies, failures = batch_lines.replies(content, self.name)
        for each in replies.values():
            self._meter.add(_used(each))
        counts = batch.request_counts
        return Collected(
            status=batch.status,
            ended=batch.ended,
            total=counts.total if counts else 0,
            done=counts.completed + counts.failed if counts else 0,
            replies=replies,
            failures=failures,
            problem=batch.problem,
        )

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.client.close()

    def _within_budget(self, call: Call) -> Reply:
        self._check()
        ticket = self._meter.begin(call.expected)
        used = Usage()
        try:
            answer = self._answer(call)
            used = _used(answer)
        except EndpointError as error:
            self._broken = self._broken or error
            self._halted.set()  # nobody waits any longer
            raise
        finally:
            self._meter.end(ticket, used)
        return answer

    def _check(self) -> None:
        if self._broken:
            raise EndpointError(str(self._broken)) from self._broken

    def _answer(self, call: Call) -> Reply:
        """The answer in the dialect the endpoint speaks, found out by trying."""
        while True:
            dialect = self._dialect
            try:
                return reply(self._patiently(partial(self._send, call, dialect)), self.name)
            except ValueError as error:  # no JSON, or other JSON than a completion
                raise EndpointError(
                    f"{self._endpoint.where} does not answer as a Chat Completions endpoint "
                    "does; check OPENAI_BASE_URL, which usually ends with /v1"
                ) from error
            except openai.APIError as error:
                if errors.is_too_long(error):
                    return Reply(text="", finish="length", model=self.name)
                other = self._other_dialect(call, dialect, error)
                if other is None:
                    raise self._endpoint.translated(error) from error
                self._dialect = other

    def _patiently(self, request: Callable[[], T]) -> T:
        """The endpoint's answer, asked for again as long as that makes sense."""
        retrying = Retrying(
            retry=retry_if_exception(errors.is_passing),
            wait=_pause,
            stop=self._gives_up,
            before_sleep=self._tell,
            sleep=sleep_using_event(self._halted),
            reraise=True,
        )
        return retrying(request)

    def _send(self, call: Call, dialect: Dialect) -> object:
        self._check()
        return _plain(
            self._endpoint.client.chat.completions.create(model=self.name, **dialect.options(call))
        )

    def _upload(self, content: bytes) -> str:
        file = self._endpoint.client.files.create(file=("calls.jsonl", content), purpose="batch")
        return str(file.id)

    def _post(self, file: str, mark: str) -> str:
        batch = self._endpoint.client.batches.create(
            input_file_id=file,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={_MARK: mark},
        )
        return _state(batch).id

    def _marked(self, mark: str) -> str | None:
        """The batch with this mark: its name may have been lost on the way back."""
        page = self._endpoint.client.batches.list(limit=_MOST_BATCHES)
        for batch in map(_state, page.data):
            if (batch.metadata or {}).get(_MARK) == mark:
                return batch.id
        return None

    def _download(self, file: str) -> str:
        return str(self._endpoint.client.files.content(file).text)

    @contextmanager
    def _posting(self) -> Iterator[None]:
        try:
            yield
        except openai.APIError as error:
            failure = self._endpoint.translated(error)
            if isinstance(error, openai.NotFoundError):
                failure = EndpointError(
                    f"{self._endpoint.where} has no Batch API, or not this batch; go on without "
                    "--batch-api"
                )
            raise failure from error
        except (ValueError, AttributeError) as error:  # no JSON, or other JSON than was expected
            raise EndpointError(
                f"{self._endpoint.where} does not answer as a Batch API does"
            ) from error

    def _gives_up(self, state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        seconds = (state.seconds_since_start or 0) + state.upcoming_sleep
        is_failing = not isinstance(error, openai.RateLimitError)
        return seconds > self._limits.patience or (is_failing and state.attempt_number >= _ATTEMPTS)

    def _tell(self, state: RetryCallState) -> None:
        """Count the retry, and say once that the run waits, not once per waiting call."""
        self._meter.add(Usage(retries=1))
        until = time.monotonic() + state.upcoming_sleep
        if until > self._told_until + 1:
            self._told_until = until
            error = state.outcome.exception() if state.outcome else None
            why = "is busy" if isinstance(error, openai.RateLimitError) else "does not answer"
            _log.info("%s %s; waiting %.1f s", self._endpoint.where, why, state.upcoming_sleep)

    def _other_dialect(
        self, call: Call, dialect: Dialect, error: openai.APIError
    ) -> Dialect | None:
        """Another way to ask for the same, when the endpoint did not like this one."""
        if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
            return None
        if dialect != self._dialect:  # another call has found a way meanwhile
            return self._dialect
        may_be_poorer = self._is_auto and call.schema is not None and not self._answered
        return dialect.without(error.param or error.message, may_be_poorer=may_be_poorer)


def _used(answer: Reply) -> Usage:
    """What one answered call used."""
    return Usage(calls=1, input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return errors.pause(error, state.attempt_number)


def _plain(answer: object) -> object:
    """An answer as plain data, whatever the endpoint put into it."""
    return answer.model_dump(warnings=False) if isinstance(answer, BaseModel) else answer


def _state(answer: object) -> batch_lines.State:
    return batch_lines.state(_plain(answer))
