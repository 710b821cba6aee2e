"""Executes notebooks and leaves in them nothing that another run would change.

``python -m tests.notebooks.executing`` writes the outputs of all notebooks anew; with the name of
one, it prints that one, executed, and leaves the file alone.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

_KEPT = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
_SECONDS = 120


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a run in a fresh kernel.

    Raises:
        CellExecutionError: A cell raised.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=_SECONDS,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict(_KEPT)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
        cell.metadata = nbformat.from_dict({})
    return notebook


def main(names: list[str]) -> None:
    """Print one notebook, executed; without a name, write all of them."""
    for name in names:
        sys.stdout.write(nbformat.writes(executed(Path(name))) + "\n")
    for path in [] if names else NOTEBOOKS:
        path.write_text(nbformat.writes(executed(path)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
