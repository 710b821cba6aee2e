"""An endpoint for tests: a real HTTP server with scripts instead of a model."""

from tests.support.endpoint.annotator import annotator
from tests.support.endpoint.server import Answer, Endpoint, Request, Script

__all__ = ["Answer", "Endpoint", "Request", "Script", "annotator"]
