"""The score of a trial's output: golden and rubric tasks (RFC 0081 §A)."""

import json
from collections.abc import Sequence

import msgspec

from openwop_evals._equality import json_equal
from openwop_evals.models import Expected, Match
from openwop_evals.numbers import exact_ratio

__all__ = ["score_output", "score_rubric"]


def score_output(expected: Expected, output: object) -> float:
    """Score the output of a golden task (RFC 0081 §A).

    ``exact`` compares texts: a string is its own, any other value is its compact JSON with sorted
    names. ``contains`` looks for the value's text in the output's, or for an equal item where the
    output is an array. ``json-match`` is deep JSON equality: 1 equals 1.0, true is not 1.

    Args:
        expected: What the task expects; its ``match`` must be present.
        output: Any JSON value.

    Returns:
        1.0 or 0.0.

    Raises:
        ValueError: There is no ``match`` to compare with.
    """
    match = expected.match
    if match is msgspec.UNSET:
        raise ValueError("expected has no match to compare the output with")
    return 1.0 if _matches(match, output) else 0.0


def score_rubric(expected: Expected, met: Sequence[bool]) -> float:
    """Score a rubric task: the weight of the criteria that were met over all weight.

    Args:
        expected: What the task expects; its ``rubric`` must be present, with weights, each 0 to 1,
            that do not sum to 0.
        met: Whether each criterion was met, in the same order.

    Returns:
        The score, 0 to 1, exact and rounded once.

    Raises:
        ValueError: There is no ``rubric``, its weights sum to 0, or ``met`` has another length.
    """
    criteria = () if expected.rubric is msgspec.UNSET else expected.rubric
    weights = [criterion.weight for criterion in criteria]
    if not any(weights):
        raise ValueError("expected has no rubric with weight to judge the output by")
    if len(met) != len(weights):
        raise ValueError(
            f"found {len(met)} verdicts, expected one for each of {len(weights)} criteria"
        )
    return exact_ratio(
        [weight for weight, is_met in zip(weights, met, strict=True) if is_met], weights
    )


def _matches(match: Match, output: object) -> bool:
    if match.strategy == "json-match":
        return json_equal(match.value, output)
    if match.strategy == "exact":
        return _text(match.value) == _text(output)
    if isinstance(output, list):
        return any(json_equal(match.value, item) for item in output)
    return _text(match.value) in _text(output)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
