"""``cmc-graph eval``: run the paper's comparisons, score them, report them.

Running and scoring are separate commands: a score never changes what was run. What is slow to
import is imported by the command that needs it.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cmc_graph import settings
from cmc_graph.cli.common import (
    JsonOption,
    QuietOption,
    VerboseOption,
    note,
    out,
    print_json,
    set_verbosity,
    terminal_bar,
)
from cmc_graph.cli.model_options import (
    MaxCallsOption,
    MaxTokensOption,
    ModelOption,
    ResponseFormatOption,
)
from cmc_graph.errors import UsageError
from cmc_graph.extractor import ModelOptions
from cmc_graph.stores import open_store
from cmc_graph.stores.base import Store
from cmc_graph.text import count

if TYPE_CHECKING:
    from cmc_graph.evaluation.configuration import Configuration
    from cmc_graph.evaluation.formats import Manifest
    from cmc_graph.evaluation.running import Progress
    from cmc_graph.evaluation.scoring import Scores

app = typer.Typer(
    help="Compare what a reader is shown: the arms of the paper, run, then scored.",
    no_args_is_help=True,
)

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")]
PathsArgument = Annotated[
    list[Path], typer.Argument(metavar="PATH…", help="One CONFIG.toml, or files with questions.")
]
FolderOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Folder of the run.")
]
NamesOption = Annotated[list[str] | None, typer.Option(metavar="NAME,…")]
GrammarOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME|FILE", help="Pattern pack; repeatable.")
]
FallbackOption = Annotated[
    str | None, typer.Option(help="When nothing is selected: history or latest_state.")
]
BudgetOption = Annotated[
    int | None, typer.Option("--budget", help="Characters of evidence; 0: no limit.")
]
TokensOption = Annotated[int | None, typer.Option(help="Input limit of the readers.")]
TokenizerOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="tokenizer.json; else letters are counted.")
]
EmbeddingOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Embedding model; else one that a package carries."),
]
EmbeddingModelOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="One at OPENAI_BASE_URL instead.")
]
RerankerOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="At OPENAI_BASE_URL, for chunk_dense_rerank.")
]
ThresholdOption = Annotated[
    float | None, typer.Option(help="Of g_walk; the default belongs to Contriever.")
]
SeedOption = Annotated[int | None, typer.Option(help="Of arms that draw at random.")]
WeightsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Of path-learned, from scripts/train_reader; else shipped."),
]
AnswerTokensOption = Annotated[
    int | None, typer.Option(help="Of an answer of the reader openai at most; else 64.")
]
WorkersOption = Annotated[int | None, typer.Option(help="Questions under way at once; else 1.")]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="Where histories go; else in memory only."),
]

#: Where histories go that nobody named a store for; gone with the command.
_NOWHERE = "sqlite:///:memory:"
#: Differences that a replay lists.
_LISTED = 20
#: Columns of a table that goes into a pipe or file.
_PIPED_WIDTH = 200


def register(root: typer.Typer) -> None:
    """Add the commands to the application."""
    root.add_typer(app, name="eval")


@app.command()
def run(
    context: typer.Context,
    paths: PathsArgument,
    folder: FolderOption = None,
    arms: NamesOption = None,
    readers: NamesOption = None,
    frontends: NamesOption = None,
    grammar: GrammarOption = None,
    fallback: FallbackOption = None,
    characters: BudgetOption = None,
    tokens: TokensOption = None,
    tokenizer: TokenizerOption = None,
    embedding: EmbeddingOption = None,
    embedding_model: EmbeddingModelOption = None,
    reranker: RerankerOption = None,
    relation_threshold: ThresholdOption = None,
    seed: SeedOption = None,
    weights: WeightsOption = None,
    model: ModelOption = None,
    answer_tokens: AnswerTokensOption = None,
    workers: WorkersOption = None,
    store: StoreOption = None,
    max_calls: MaxCallsOption = None,
    max_tokens: MaxTokensOption = None,
    response_format: ResponseFormatOption = "auto",
    json: JsonOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run every arm and reader over every question; one that was interrupted goes on.

    Writes one line per question and reader, and seals them. No score is computed.
    """
    set_verbosity(verbose=verbose, quiet=quiet)
    limits = ModelOptions(
        max_calls=max_calls, max_tokens=max_tokens, response_format=response_format
    )
    configuration = _configuration(paths, context.params)
    manifest = _complete(configuration, limits, quiet=quiet)
    if json:
        print_json(manifest.model_dump(mode="json"))
        return
    out(f"{configuration.out}: complete, predictions sealed as {(manifest.seal or '')[:16]}")
    note(f"now: cmc-graph eval score {configuration.out}")


@app.command()
def replay(path: RunArgument, verbose: VerboseOption = False, quiet: QuietOption = False) -> None:
    """Make every request of a run anew from its manifest, and check that it is the same."""
    set_verbosity(verbose=verbose, quiet=quiet)
    from cmc_graph.evaluation import session  # noqa: PLC0415 - see the module
    from cmc_graph.evaluation.folder import RunFolder  # noqa: PLC0415 - same

    with _progress(quiet=quiet) as tick:
        found = session.replay_run(RunFolder(path), tick)
    for difference in found.differences[:_LISTED]:
        out(difference)
    if found.differences:
        note(f"{count(len(found.differences), 'difference')} from what was run")
        raise typer.Exit(1)
    out(f"{count(found.predictions, 'prediction')}: every request is the same")


@app.command()
def score(
    path: RunArgument,
    json: JsonOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Score a complete run; the same predictions always get the same scores."""
    set_verbosity(verbose=verbose, quiet=quiet)
    scores = _scores(path)
    if json:
        print_json(scores)
    else:
        _print_table(scores)


@app.command()
def report(
    path: RunArgument,
    file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Else report.html in the folder.")
    ] = None,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Print the table of a run, and write one HTML page with its plots and the paper's figures."""
    set_verbosity(verbose=verbose, quiet=quiet)
    from cmc_graph.evaluation import report as reports  # noqa: PLC0415 - see the module
    from cmc_graph.evaluation.formats import read_manifest, write_text  # noqa: PLC0415 - same

    scores = _scores(path)
    _print_table(scores)
    page = file or path / "report.html"
    write_text(page, reports.page(scores, read_manifest(path)))
    note(f"written: {page}")


@app.command()
def build(
    dataset: Annotated[Literal["memstream"], typer.Argument(help="What to build.")],
    source: Annotated[Path, typer.Argument(metavar="FILE", help="MQuAKE-CF-3k.json.")],
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where it goes.")],
    cases: Annotated[int, typer.Option(help="How many cases, from the first.")] = 800,
    json: JsonOption = False,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build a dataset from another one: MQuAKE-MemStream from MQuAKE-CF-3k."""
    set_verbosity(verbose=verbose, quiet=quiet)
    from cmc_graph.evaluation.datasets import memstream  # noqa: PLC0415 - see the module

    audit = memstream.build(source, folder, cases)
    if json:
        print_json(audit)
        return
    out(
        f"{count(audit.assertions, 'assertion')} in {count(audit.streams, 'stream')}, "
        f"{audit.unparsed} not parsed; {audit.single_hop} single-hop and {audit.multi_hop} "
        f"multi-hop questions"
    )
    note(
        f"{count(len(audit.altered), 'case')} altered by pooling; their multi-hop questions "
        "are marked as excluded"
    )
    note(f"now: cmc-graph eval run {folder / 'cases.jsonl'} --out DIR")


def _configuration(paths: list[Path], options: Mapping[str, Any]) -> "Configuration":
    """The configuration file, or one made of files with questions; options win over the file."""
    from cmc_graph.evaluation.configuration import Configuration  # noqa: PLC0415 - see the module

    given = {
        **options,
        "out": options["folder"],
        **{name: _names(options[name]) for name in ("arms", "readers", "frontends")},
    }
    wanted = {
        name: given[name]
        for name in Configuration.model_fields
        if given.get(name) not in (None, [])
    }
    if [path.suffix for path in paths] == [".toml"]:
        found = Configuration.read(paths[0])
        return Configuration.of({**found.model_dump(), **wanted}, "the options")
    if "out" not in wanted:
        raise UsageError("say where the run goes: --out DIR")
    return Configuration.of({"data": tuple(paths), **wanted}, "the options")


def _complete(configuration: "Configuration", options: ModelOptions, *, quiet: bool) -> "Manifest":
    """The manifest of the complete run."""
    from cmc_graph.evaluation import session  # noqa: PLC0415 - see the module

    options = replace(options, concurrency=configuration.workers)
    with closing(_open_store(configuration.store)) as store, _progress(quiet=quiet) as tick:
        around = session.Surroundings(store=store, tell=note, progress=tick, options=options)
        return session.run(configuration, around)


def _names(given: list[str] | None) -> tuple[str, ...] | None:
    """The names of an option that takes several, separated by commas, and may be repeated."""
    if not given:
        return None
    return tuple(dict.fromkeys(n.strip() for each in given for n in each.split(",") if n.strip()))


def _open_store(url: str | None) -> Store:
    if url is None:
        return open_store(_NOWHERE)
    found = settings.load()
    return open_store(
        settings.store_url(found, url).value,
        username=found.neo4j_username,
        password=settings.password(found),
        database=found.neo4j_database,
    )


def _scores(path: Path) -> "Scores":
    from cmc_graph.evaluation.folder import RunFolder  # noqa: PLC0415 - see the module
    from cmc_graph.evaluation.formats import sealed_predictions  # noqa: PLC0415 - same
    from cmc_graph.evaluation.scoring import score as scored  # noqa: PLC0415 - same

    folder = RunFolder(path)
    return scored(folder.cases(), sealed_predictions(path), folder.interpretations())


def _print_table(scores: "Scores") -> None:
    """The table as plain text, as wide as the terminal, or as it needs to be in a pipe."""
    from rich.console import Console  # noqa: PLC0415 - see the module

    from cmc_graph.evaluation.report import table  # noqa: PLC0415 - same

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(color_system=None, width=width)
    with console.capture() as captured:
        console.print(table(scores))
    out(captured.get(), end="")


@contextmanager
def _progress(*, quiet: bool) -> "Iterator[Progress]":
    """What to call after each question: moves a bar if a person is there, else names each arm."""
    with terminal_bar(quiet=quiet) as bar:
        if bar is None:
            yield (lambda done, total, where: None) if quiet else _lines()
            return
        task = bar.add_task("eval")
        yield lambda done, total, where: bar.update(
            task, completed=done, total=total, description=where
        )


def _lines() -> Callable[[int, int, str], None]:
    """Says which arm is under way, once for each part of the run."""
    said = ""

    def tick(done: int, total: int, where: str) -> None:
        nonlocal said
        if where != said:
            said = where
            note(f"{done} of {total}: {where}")

    return tick
