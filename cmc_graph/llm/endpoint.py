"""An endpoint and the client that sends to it: opened, named and its errors told in one way.

This module must not know what is asked for.
"""

import openai
from pydantic import SecretStr

from cmc_graph.errors import EndpointError
from cmc_graph.llm import errors
from cmc_graph.llm.usage import Limits


class Endpoint:
    """One model at one address.

    Args:
        name: The model, as the endpoint names it.
        base_url: Address of the API; None: OpenAI's.
        api_key: None for local servers that ask for none.
        limits: How long an answer may take.
        retries: How often the client repeats a call by itself.

    Attributes:
        where: The address for messages, without what may be secret in it.
        client: Sends; nothing is sent before it is used.

    Raises:
        ConfigurationError: No model, neither key nor address, or an address that is none.
    """

    def __init__(
        self,
        name: str,
        base_url: str | None,
        api_key: SecretStr | None,
        limits: Limits,
        *,
        retries: int,
    ) -> None:
        self.name = name
        self._limits = limits
        self._key = api_key or SecretStr("")
        self.where = errors.address(name, base_url, self._key)
        self.client = openai.OpenAI(
            api_key=self._key.get_secret_value() or "none",
            base_url=base_url or errors.DEFAULT_BASE_URL,
            timeout=limits.timeout,
            max_retries=retries,
        )

    def translated(self, error: openai.APIError) -> EndpointError:
        """The error in one line that says what failed and what to do, without the key."""
        return errors.translated(error, self.where, self.name, self._key, self._limits)
