"""The sizes the project holds itself to, measured on its own code."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted([*ROOT.glob("cmc_graph/**/*.py"), *ROOT.glob("loaders/**/*.py")])

LONGEST_FUNCTION, LONGEST_MODULE, MOST_METHODS = 50, 400, 24


def nodes(kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[tuple[Path, ast.AST]]:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, kind):
                yield path, node


def test_modules_are_found() -> None:
    """The other tests look at real modules."""
    assert len(MODULES) > 30


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_longer_than_400_lines(path: Path) -> None:
    """A module has at most 400 lines."""
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_MODULE


def test_no_function_is_longer_than_50_lines() -> None:
    """A function has at most 50 lines, its docstring included."""
    too_long = [
        f"{path.name}:{node.name} {node.end_lineno - node.lineno + 1}"
        for path, node in nodes((ast.FunctionDef, ast.AsyncFunctionDef))
        if node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert too_long == []


def test_no_class_has_more_than_24_public_methods() -> None:
    """A class has at most 24 public methods; the store port is the largest."""
    too_large = [
        f"{path.name}:{node.name}"
        for path, node in nodes(ast.ClassDef)
        if sum(
            isinstance(item, ast.FunctionDef) and not item.name.startswith("_")
            for item in node.body
        )
        > MOST_METHODS
    ]
    assert too_large == []
