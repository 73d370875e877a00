"""Trials: their verdicts, pass@k and pass^k (RFC 0244 §A, §B)."""

from collections.abc import Sequence
from math import comb
from typing import Literal

__all__ = ["pass_at_k", "pass_hat_k", "trial_passes", "verdicts_pass"]


def trial_passes(
    score: float, pass_score: float, *, trajectory_matched: bool, failed_closed: bool
) -> bool:
    """Whether a trial passes (RFC 0244 §A).

    Args:
        score: The trial's reported score, 0 to 1.
        pass_score: The bar, inclusive.
        trajectory_matched: False when the task has a trajectory that the trial failed.
        failed_closed: The trial missed a fixture or errored.
    """
    return score >= pass_score and trajectory_matched and not failed_closed


def verdicts_pass(rule: Literal["all", "any"], verdicts: Sequence[bool]) -> bool:
    """Whether a task passes by its trials' verdicts; never without a trial (RFC 0244 §B)."""
    return bool(verdicts) and (all(verdicts) if rule == "all" else any(verdicts))


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The chance that at least one of k trials drawn from n passed (RFC 0244 §B).

    1 - C(n-c, k) / C(n, k), exact and rounded once.

    Args:
        n: Trials that were run, at least 1.
        c: Those that passed, 0 to n.
        k: Trials that are drawn, at least 1.

    Returns:
        The chance, 0 to 1; None when k exceeds n, which no number of trials can tell.

    Raises:
        ValueError: A number out of its range.
    """
    _check_counts(n, c, k)
    return None if k > n else (comb(n, k) - comb(n - c, k)) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """The chance that all of k trials drawn from n passed: pass^k (RFC 0244 §B).

    C(c, k) / C(n, k), exact and rounded once; not (c/n)^k.

    Args:
        n: Trials that were run, at least 1.
        c: Those that passed, 0 to n.
        k: Trials that are drawn, at least 1.

    Returns:
        The chance, 0 to 1; None when k exceeds n, which no number of trials can tell.

    Raises:
        ValueError: A number out of its range.
    """
    _check_counts(n, c, k)
    return None if k > n else comb(c, k) / comb(n, k)


def _check_counts(n: int, c: int, k: int) -> None:
    if not (n >= 1 and 0 <= c <= n and k >= 1):
        raise ValueError(f"found n={n}, c={c}, k={k}, expected n >= 1, 0 <= c <= n and k >= 1")
