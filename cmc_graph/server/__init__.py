"""A local Neo4j Community server, from pip alone: start, stop, status.

The jars are fetched once from the Maven repository, each compared with the sha256 in the lock file
of this package; Java is the one that is there, or the one of the extra ``server``. Everything a
server keeps lies in its home folder, and it listens on the loopback address only.
"""

from cmc_graph.server.info import OnProgress, Progress, ServerInfo, browser_url
from cmc_graph.server.lifecycle import start, status, stop
from cmc_graph.server.serving import serving

__all__ = [
    "OnProgress",
    "Progress",
    "ServerInfo",
    "browser_url",
    "serving",
    "start",
    "status",
    "stop",
]
