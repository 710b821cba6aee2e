"""The table of acceptance tests: complete, and of tests that exist."""

import ast
import re
from pathlib import Path

ACCEPTANCE = Path(__file__).parents[1] / "acceptance"
README = (ACCEPTANCE / "README.md").read_text("utf-8")
ROWS = re.findall(r"^\| (A\d+) \| [^|]+ \| ([^|]+) \|$", README, re.MULTILINE)

#: Faults of the list.
REPORTS = 19


def named_in(module: str) -> set[str]:
    """The names of the tests in a module."""
    tree = ast.parse((ACCEPTANCE / module).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_report_has_its_row() -> None:
    """Each of the reports is there once, in order."""
    assert [name for name, _ in ROWS] == [f"A{number}" for number in range(1, REPORTS + 1)]


def test_every_test_that_is_named_exists() -> None:
    """A row names tests as file::test, and each of them is one."""
    for name, cell in ROWS:
        named = [each.strip("`").split("::") for each in cell.split(", ")]
        assert named, name
        for module, test in named:
            assert test in named_in(module), (name, module, test)


def test_every_module_is_described() -> None:
    """Each module of acceptance tests has its line in the first table."""
    patterns = re.findall(r"`(test_[a-z_*]+)\.py`", README)
    for path in ACCEPTANCE.glob("test_*.py"):
        assert any(Path(path.stem).match(pattern) for pattern in patterns), path.name
