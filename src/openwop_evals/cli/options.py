"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

__all__ = ["policy_options"]


def policy_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--default-pass-score`` and ``--aggregate`` to a command."""
    default_pass_score = click.option(
        "--default-pass-score",
        type=float,
        metavar="X",
        help="The bar, 0 to 1, of a suite without passScore.",
    )
    aggregate = click.option(
        "--aggregate",
        type=click.Choice(["mean", "min", "median"]),
        default="mean",
        show_default=True,
        help="How the tasks' scores make the aggregate, and their gating scores the gating one.",
    )
    return default_pass_score(aggregate(command))
