"""What a command found: one small model that every reporter prints."""

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = ["Fact", "Level", "Note", "Report", "TaskRow", "TrialCell"]

Level: TypeAlias = Literal["error", "warning", "note"]


class Fact(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One named value, such as the aggregate score, and what is to be said of it."""

    name: str
    value: str | int | float | bool | None
    remark: str | None = None


class TrialCell(Struct, frozen=True, kw_only=True, rename="camel"):
    """One trial of a task."""

    trial: int
    score: float
    gating_score: float
    passed: bool
    state: Literal["measured", "errored", "fixture miss"]


class TaskRow(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One task: its trials, its two scores and its verdict."""

    task_id: str
    score: float
    gated_score: float | None = None
    passed: bool
    trials: tuple[TrialCell, ...]


class Note(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One thing that was found, and where."""

    level: Level
    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    task_id: str | None = None
    trial: int | None = None
    call_index: int | None = None
    tool: str | None = None

    @property
    def place(self) -> str:
        """The file, line and column, the task and the trial, as far as each is known."""
        file = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        inside = [
            f"{name} {value}"
            for name, value in (("task", self.task_id), ("trial", self.trial))
            if value is not None
        ]
        return ": ".join(filter(None, (":".join(file), ", ".join(inside))))


class Report(Struct, frozen=True, kw_only=True, rename="camel"):
    """What a command found.

    Attributes:
        command: The command.
        subject: What it looked at.
        verdict: Its answer in a word or two.
        ok: Whether the answer is yes, so exit 0.
        facts: The values that the answer rests on.
        tasks: The tasks, where the command looks at them.
        notes: What was found, the reasons for the answer first.
    """

    command: str
    subject: str
    verdict: str
    ok: bool
    facts: tuple[Fact, ...] = ()
    tasks: tuple[TaskRow, ...] = ()
    notes: tuple[Note, ...] = ()
