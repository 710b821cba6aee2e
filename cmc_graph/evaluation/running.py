"""``eval run``: every cell of frontends, arms and readers, one prediction per question.

Running knows no reference: arms and readers are given the question alone, answers never trigger
retries, and what fails stays among the predictions. This module must not know scores.
"""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from cmc_graph._version import __version__
from cmc_graph.evaluation.arms import ANSWERING, PROMPTS, Answering, Bench, Tools, Window, make
from cmc_graph.evaluation.asking import Fields, Voice, ask_arm, ask_readers
from cmc_graph.evaluation.cases import Dataset
from cmc_graph.evaluation.configuration import Configuration
from cmc_graph.evaluation.folder import RunFolder, dataset_hash
from cmc_graph.evaluation.formats import MODEL_READER, OWN_READER, Case, Manifest, Prediction
from cmc_graph.evaluation.frozen import Frozen
from cmc_graph.evaluation.tokens import counter
from cmc_graph.llm.parallel import in_order
from cmc_graph.prompts import prompt

#: Called with what is done, what there is to do, and where the run is.
Progress = Callable[[int, int, str], None]

#: The interpretations of a run, by frontend and history.
Histories = Mapping[tuple[str, str], Frozen]

#: Libraries that take part in a prediction, where they are installed.
_LIBRARIES = ("bm25s", "neo4j", "numpy", "openai", "pydantic", "safetensors", "tokenizers")


@dataclass(frozen=True, slots=True)
class Job:
    """All questions about one history, for one arm over one interpretation."""

    frontend: str
    history: str
    arm: str
    bench: Bench
    cases: tuple[Case, ...]

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"{self.arm} on {self.history} as {self.frontend} reads it"


class Run:
    """One run in its folder.

    Args:
        configuration: What to run.
        folder: Where it is kept.
        voices: The readers by name.
        tools: What some arms work with beside the history.
    """

    def __init__(
        self,
        configuration: Configuration,
        folder: RunFolder,
        voices: Mapping[str, Voice],
        tools: Tools,
    ) -> None:
        self._configuration = configuration
        self._folder = folder
        self._voices = voices
        self._tools = tools
        self._done: set[tuple[str, str, str, str]] = set()
        self._answered: dict[str, Prediction] = {}

    def complete(self, dataset: Dataset, histories: Histories, progress: Progress) -> Manifest:
        """The manifest of the complete run, sealed; predictions that are there are kept.

        Args:
            dataset: The questions.
            histories: The frozen interpretations.
            progress: Told after each question.

        Raises:
            EvaluationError: The folder holds another run.
            EndpointError: A model's endpoint failed for good; run again to go on.
            SourceError: The folder cannot be written.
        """
        self._folder.begin(self._manifest(dataset, histories), dataset.cases)
        for prediction in self._folder.predictions():
            self._keep(prediction)
        parts = list(jobs(self._configuration, dataset.cases, histories, self._tools))
        total = sum(len(job.cases) for job in parts)
        done = 0
        try:
            for job in parts:
                pending = [case for case in job.cases if self._missing(job, case)]
                done += len(job.cases) - len(pending)
                for found in self._carry_out(job, pending):
                    self._folder.append(found)
                    done += 1
                    progress(done, total, job.title)
        finally:
            if self._tools.chat:
                self._folder.remember(self._tools.chat.name, self._tools.chat.models)
        return self._folder.seal()

    def _carry_out(self, job: Job, pending: Sequence[Case]) -> Iterator[list[Prediction]]:
        """What is new for each question, in order."""
        if not pending:
            return
        arm, history = make(job.arm, job.bench), job.bench.history.fingerprint

        def ask(case: Case) -> list[Prediction]:
            count, before = job.bench.window.count, self._answered.get
            if isinstance(arm, Answering):
                found = ask_arm(arm, case.question, history, self._is_broken, count, before)
            else:
                voices = {name: self._voices[name] for name in self._missing(job, case)}
                found = ask_readers(arm, case.question, voices, count, before)
            return [_prediction(job, case, name, fields) for name, fields in found.items()]

        for found in in_order(ask, pending, self._configuration.workers):
            for prediction in found:
                self._keep(prediction)
            yield found

    def _missing(self, job: Job, case: Case) -> list[str]:
        """The readers that have not answered yet."""
        readers = readers_of(job.arm, self._configuration.readers)
        return [
            reader
            for reader in readers
            if (case.id, job.frontend, job.arm, reader) not in self._done
        ]

    def _is_broken(self) -> bool:
        return self._tools.chat is not None and self._tools.chat.is_broken()

    def _keep(self, prediction: Prediction) -> None:
        self._done.add(prediction.key)
        if prediction.error is None:
            self._answered.setdefault(prediction.request, prediction)

    def _manifest(self, dataset: Dataset, histories: Histories) -> Manifest:
        configuration = self._configuration
        return Manifest(
            dataset=dataset_hash(dataset.cases),
            histories={name: source.hash for name, source in dataset.histories.items()},
            interpretations={
                f"{frontend}/{history}": self._folder.interpretation_hash(frontend, history)
                for frontend, history in histories
            },
            frontends=configuration.frontends,
            arms=configuration.arms,
            readers=configuration.readers,
            settings=configuration.settings(),
            prompts=prompt_hashes(configuration),
            versions=dict(_versions(self._tools)),
        )


def jobs(
    configuration: Configuration, cases: Sequence[Case], histories: Histories, tools: Tools
) -> Iterator[Job]:
    """A run in parts, in the order in which it is carried out."""
    asked: dict[str, list[Case]] = {}
    for case in cases:
        asked.setdefault(case.history, []).append(case)
    window = Window(
        characters=configuration.characters or None,
        tokens=configuration.tokens,
        reserved=configuration.reserved,
        count=counter(configuration.tokenizer),
    )
    for frontend in configuration.frontends:
        for history, about in asked.items():
            bench = Bench(
                history=histories[frontend, history],
                window=window,
                fallback=configuration.fallback,
                seed=configuration.seed,
                tools=tools,
            )
            for arm in configuration.arms:
                yield Job(frontend, history, arm, bench, tuple(about))


def readers_of(arm: str, readers: Sequence[str]) -> Sequence[str]:
    """Who answers for an arm: the readers of the run, or the arm itself."""
    return (OWN_READER,) if arm in ANSWERING else readers


def _prediction(job: Job, case: Case, reader: str, fields: Fields) -> Prediction:
    place = {"case": case.id, "frontend": job.frontend, "arm": job.arm, "reader": reader}
    return Prediction.model_validate(place | fields)


def prompt_hashes(configuration: Configuration) -> dict[str, str]:
    """The hash of each prompt that takes part, by part of the package and name."""
    used = [prompt for arm in configuration.arms for prompt in PROMPTS.get(arm, ())]
    if MODEL_READER in configuration.readers:
        used.append(("readers", "answer"))
    return {f"{part}/{name}": prompt(part, name).hash for part, name in used}


def _versions(tools: Tools) -> Iterator[tuple[str, str]]:
    yield "python", platform.python_version()
    yield "cmc-graph", __version__
    for name in _LIBRARIES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue
    for tool in (tools.embedder, tools.reranker):
        if tool is not None:
            yield type(tool).__name__.lower(), tool.identity
