"""What Neo4j Browser is given: the archive, the style, the guide, and who serves them."""

import io
import re
import signal
import socket
import urllib.error
import urllib.request
import zipfile
from html.parser import HTMLParser
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from cmc_graph import server
from cmc_graph.server import ServerInfo, assets
from tests.server.outside import command, popen

TITLES = [
    *("Closure of a question", "Current facts of X", "Drift of the projection", "Hubs"),
    *("Unresolved records", "Versions of X's relation", "What superseded what"),
]


class Runnable(HTMLParser):
    """The texts a guide offers to run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "pre"
        if self._inside:
            assert "runnable" in (dict(attrs)["class"] or "")
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[-1] += data


def ask(url: str, method: str = "GET") -> HTTPResponse:
    request = urllib.request.Request(url, method=method)  # noqa: S310 - our own server
    opened: HTTPResponse = urllib.request.urlopen(request, timeout=10)  # noqa: S310 - same
    return opened


def test_the_archive_is_what_browser_imports() -> None:
    """One folder of .cypher files, each with its title in front; the same bytes every time."""
    packed = assets.archive()
    assert packed == assets.archive()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert all(name.startswith("cmc-graph/") and name.endswith(".cypher") for name in texts)
    assert [text.splitlines()[0] for text in texts.values()] == [f"// {each}" for each in TITLES]


def test_the_guide_has_a_slide_for_each_favourite() -> None:
    """Its boxes: the favourites to the letter, the lines that set their parameters, the style."""
    page = assets.guide("http://localhost:1").decode()
    offered = Runnable(page).texts
    assert page.count("<slide ") == 1 + len(TITLES)
    assert offered[0] == ":style http://localhost:1/cmc-graph.grass"
    for favourite in assets.favourites():
        assert {favourite.text.rstrip(), *favourite.parameters} <= set(offered)


def test_the_style_is_one_that_browser_can_read() -> None:
    """GraSS as Browser cuts it: blocks of `name: value;`, no further colon, no comments."""
    block = r"([\w.]+) \{\n(?:  [\w-]+: [^:;{}\n]*(?:\{\w+\}[^:;{}\n]*)*;\n)+\}\n+"
    style = assets.style().decode()
    assert re.fullmatch(f"(?:{block})+", style)
    selectors = set(re.findall(block, style))
    assert {"node.Entity", "node.Record", "node.History"} <= selectors
    assert {f"relationship.{each}" for each in ("CURRENT", "ENDED", "ASSERTED")} <= selectors


def test_the_documents_are_served_to_any_page_while_the_block_lasts() -> None:
    """Browser fetches from another origin, with headers of its own; nothing else is served."""
    with server.serving() as address:
        assert address.startswith("http://localhost:")
        for name in ("guide.html", "cmc-graph.grass", "cmc-graph-favourites.zip"):
            with ask(f"{address}/{name}") as answer:
                assert answer.read()
                assert answer.headers["Access-Control-Allow-Origin"] == "*"
        with ask(f"{address}/guide.html", "OPTIONS") as answer:
            assert (answer.status, answer.headers["Access-Control-Allow-Headers"]) == (204, "*")
        for path in ("", "hubs.cypher", "../queries.py", "%2e%2e/queries.py"):
            with pytest.raises(urllib.error.HTTPError, match="404") as refused:
                ask(f"{address}/{path}")
            refused.value.close()
    port = urlsplit(address).port or 0
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        pass


def test_browser_opens_with_the_guide(info: ServerInfo) -> None:
    """The printed address names the guide and no password; Ctrl-C ends serving, and the command."""
    with popen("browser", "--guide", "--print", "--home", str(info.home)) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        asked = parse_qs(urlsplit(url).query)
        assert asked["dbms"] == [f"bolt://neo4j@127.0.0.1:{info.ports.bolt}"]
        assert asked["cmd"] == ["guide"]
        with ask(asked["arg"][0]) as page:
            assert b"A history in Neo4j Browser" in page.read()
        process.send_signal(signal.SIGINT)
        left, told = process.communicate(timeout=30)
    assert (process.returncode, left) == (0, "")
    assert info.password_file is not None
    assert info.password_file.read_text().strip() not in url + told


def test_style_and_favourites_can_be_had_as_files(tmp_path: Path) -> None:
    """For a Browser elsewhere no server is needed; a folder that cannot be made is an error."""
    written = command("browser", "--files", str(tmp_path / "new"))
    assert (written.returncode, written.stdout.count("written: ")) == (0, 2)
    assert (tmp_path / "new" / assets.ARCHIVE).read_bytes() == assets.archive()
    assert (tmp_path / "new" / assets.STYLE).read_bytes() == assets.style()
    (tmp_path / "file").touch()
    refused = command("browser", "--files", str(tmp_path / "file"))
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
