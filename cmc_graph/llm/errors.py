"""What an endpoint's errors mean: which may go away by themselves, when, and what to tell a person.

Part of the seam to models, beside ``client``. Addresses and messages come out without anything
secret in them. This module must not know how calls are made.
"""

import random
import time
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import openai
from pydantic import SecretStr

from cmc_graph.errors import ConfigurationError, EndpointError
from cmc_graph.llm.usage import Limits
from cmc_graph.text import shorten

DEFAULT_BASE_URL = "https://api.openai.com/v1"

#: Seconds between attempts that nobody asked to put off, doubled each time up to the second number.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


def address(name: str, base_url: str | None, key: SecretStr) -> str:
    """The endpoint for messages, without what may be secret in its address.

    Raises:
        ConfigurationError: No model, neither key nor address, or one of them cannot be used.
    """
    if not name:
        raise ConfigurationError("no model is chosen; give --model NAME or set CMC_MODEL")
    if not base_url and not key:
        raise ConfigurationError(
            "a model needs OPENAI_API_KEY, or OPENAI_BASE_URL for a local server"
        )
    where, secret = base_url or DEFAULT_BASE_URL, key.get_secret_value()
    if not (secret.isascii() and secret.isprintable()):
        raise ConfigurationError("OPENAI_API_KEY holds characters that no key has")
    try:
        parts = urlsplit(where)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise ConfigurationError(f"OPENAI_BASE_URL is no address ({error})") from error
    if not where.isprintable() or " " in where:
        raise ConfigurationError("OPENAI_BASE_URL is no address: it holds spaces or the like")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError("OPENAI_BASE_URL must begin with http:// or https:// and a host")
    return f"the endpoint {parts.scheme}://{parts.hostname}{port}{parts.path}"


def is_passing(error: BaseException) -> bool:
    """True for what may go away by itself."""
    if isinstance(error, openai.APIConnectionError):
        return True
    if not isinstance(error, openai.APIStatusError) or is_out_of_quota(error):
        return False
    return error.status_code in (408, 409, 429) or error.status_code >= 500


def is_out_of_quota(error: openai.APIError) -> bool:
    """True when waiting does not help, although the endpoint says to come back later."""
    return "insufficient_quota" in (error.code, error.type)


def is_too_long(error: openai.APIError) -> bool:
    """True when the prompt has more tokens than the model takes."""
    return error.code == "context_length_exceeded" or "context length" in error.message


def pause(error: BaseException | None, attempt: int) -> float:
    """Seconds until the next attempt: what the endpoint says, else doubled; and some jitter.

    Args:
        error: Of the last attempt.
        attempt: Its number, from 1.
    """
    told = _retry_after(error) if isinstance(error, openai.APIStatusError) else None
    seconds = min(_FIRST_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE) if told is None else told
    return seconds + random.uniform(0, 0.1 * seconds)  # noqa: S311 - no secret, only spread


def translated(
    error: openai.APIError, where: str, model: str, key: SecretStr, limits: Limits
) -> EndpointError:
    """The error in one line that says what failed and what to do; the key is gone from both.

    Args:
        error: What the client library raised.
        where: The endpoint, for messages.
        model: Who was asked.
        key: What must not appear.
        limits: Of the run.
    """
    out_of_quota = is_out_of_quota(error)
    _hide(key, error)
    said = shorten(error.message, 200)
    if isinstance(error, openai.APITimeoutError):
        problem = f"gave no answer within {limits.timeout:g} s; try again later"
    elif isinstance(error, openai.APIConnectionError):
        problem = f"cannot be reached ({_root(error)}); check OPENAI_BASE_URL"
    elif isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        problem = f"refuses the key ({said}); check OPENAI_API_KEY"
    elif isinstance(error, openai.NotFoundError):
        problem = f"has no model {model!r}, or is no such endpoint ({said})"
        problem += "; check CMC_MODEL and OPENAI_BASE_URL"
    elif out_of_quota:
        problem = f"says that the quota is used up ({said}); check the plan and its limits"
    elif isinstance(error, openai.RateLimitError):
        problem = f"was too busy for {limits.patience:g} s ({said}); try again later"
    else:
        problem = f"failed ({said})"
    return EndpointError(f"{where} {problem}")


def _hide(secret: SecretStr, error: openai.APIError) -> None:
    """Some servers quote the key they refuse; the error must not carry it any further."""
    key = secret.get_secret_value()
    if key and key in f"{error} {vars(error)}":
        error.message = error.message.replace(key, "***")
        error.args = (error.message,)
        error.body = error.code = error.param = error.type = None


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds the endpoint asks to wait; None when it says nothing that can be read."""
    headers = error.response.headers
    for name, seconds in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if value.replace(".", "", 1).isdigit():
            return float(value) * seconds
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, date.timestamp() - time.time())


def _root(error: BaseException) -> str:
    """What the lowest layer said."""
    while error.__cause__ is not None:
        error = error.__cause__
    return shorten(str(error) or type(error).__name__, 100)
