"""The strings of a document are counted as they are written."""

from random import Random

import msgspec

from openwop_evals import EvalsError, EvalSummary, decode_summary, decode_trial
from openwop_evals._names import count_strings
from tests.support.generation import Generator


def summaries(count: int) -> list[EvalSummary]:
    generator = Generator(Random(1))  # noqa: S311 - no secret hangs on it
    found: list[EvalSummary] = []
    while len(found) < count:
        try:
            found.append(decode_summary(generator.text("summary")))
        except EvalsError:
            continue
    return found


def test_every_string_of_a_summary_is_counted() -> None:
    for summary in summaries(300):
        written = msgspec.json.encode(summary).replace(b"\\\\", b"").replace(b'\\"', b"")
        assert count_strings(summary) == written.count(b'"') / 2


def test_a_type_with_free_values_is_not_counted() -> None:
    assert count_strings(decode_trial('{"taskId":"t","output":"a"}')) is None
