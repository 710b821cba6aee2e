"""``eval replay``: every request of a run made anew from its manifest, and compared.

Nothing is read or answered again: that the same evidence comes of the same interpretation is what
is checked. This module must not know scores.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cmc_graph.errors import EvaluationError
from cmc_graph.evaluation.arms import Answering, Arm, Tools, make
from cmc_graph.evaluation.asking import Voice, own_request_hash, request_hash
from cmc_graph.evaluation.configuration import Configuration
from cmc_graph.evaluation.folder import RunFolder
from cmc_graph.evaluation.formats import (
    Case,
    Manifest,
    Prediction,
    hash_text,
    read_manifest,
    sealed_predictions,
)
from cmc_graph.evaluation.running import Job, Progress, jobs, prompt_hashes


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay found.

    Attributes:
        predictions: How many were checked.
        differences: What is not as it was, one line each.
    """

    predictions: int
    differences: tuple[str, ...]


def restored(manifest: Manifest, folder: RunFolder) -> Configuration:
    """The configuration that the run was started with.

    Raises:
        UsageError: It was run by a version with other settings.
    """
    matrix = {
        "frontends": manifest.frontends,
        "arms": manifest.arms,
        "readers": manifest.readers,
    }
    return Configuration.restored(manifest.settings, folder.path).model_copy(update=matrix)


def replay(
    folder: RunFolder, voices: Mapping[str, Voice], tools: Tools, progress: Progress
) -> Replay:
    """What became of the run's requests.

    Args:
        folder: Of a complete run.
        voices: The readers of the run, by name; none of them is asked.
        tools: Those that the run's arms worked with.
        progress: Told after each question.

    Raises:
        EvaluationError: The run is not complete, one of its files was changed, or a prediction is
            of no question of the run.
        SourceError: A file cannot be read.
    """
    made: dict[tuple[str, str, str], list[Prediction]] = defaultdict(list)
    predictions = sealed_predictions(folder.path)
    for prediction in predictions:
        made[prediction.key[:3]].append(prediction)
    manifest = read_manifest(folder.path)
    configuration = restored(manifest, folder)
    differences = list(_other_prompts(manifest, configuration))
    checked = 0
    for job in jobs(configuration, folder.cases(), folder.interpretations(), tools):
        arm = make(job.arm, job.bench)
        for case in job.cases:
            about = made[case.id, job.frontend, job.arm]
            differences.extend(_differences(arm, job, case, about, voices))
            checked += len(about)
            progress(checked, len(predictions), job.title)
    if checked != len(predictions):
        raise EvaluationError(
            f"{folder.path}: {len(predictions) - checked} predictions are of no case or arm of "
            "the run; run into a new folder"
        )
    return Replay(checked, tuple(differences))


def _differences(
    arm: Arm | Answering,
    job: Job,
    case: Case,
    about: list[Prediction],
    voices: Mapping[str, Voice],
) -> Iterator[str]:
    """What is not as it was of the predictions about one question to one arm."""
    if isinstance(arm, Answering):
        request = own_request_hash(arm, case.question, job.bench.history.fingerprint)
        evidence_hash = None
    else:
        evidence = arm.evidence(case.question)
        evidence_hash = hash_text(evidence.text)
    for found in about:
        where = f"{job.frontend} {job.arm} {found.reader} {case.id}"
        if not isinstance(arm, Answering):
            request = request_hash(voices[found.reader], case.question, evidence)
        if evidence_hash not in (None, found.evidence_hash):
            yield f"{where}: other evidence"
        elif request != found.request:
            yield f"{where}: another request"


def _other_prompts(manifest: Manifest, configuration: Configuration) -> Iterator[str]:
    now = prompt_hashes(configuration)
    for name in manifest.prompts.keys() | now.keys():
        if manifest.prompts.get(name) != now.get(name):
            yield f"prompt {name}: another text"
