"""Where in a JSON text the values of JSON Pointers stand."""

import json
import re
from collections.abc import Collection

from openwop_evals._json import pointer_step

__all__ = ["Place", "locate"]

Place = tuple[int, int]

_LEXEME = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def locate(text: str, pointers: Collection[str]) -> dict[str, Place]:
    """Line and column, both from 1, of the first value at each pointer that has one.

    Args:
        text: A valid JSON text.
        pointers: JSON Pointers (RFC 6901).
    """
    wanted = set(pointers)
    found: dict[str, Place] = {}
    prefixes = [""]  # the pointer of each open container
    steps: list[str | int] = []  # the member or item that each of them is at
    is_name = False
    line, line_start = 1, 0
    for match in _LEXEME.finditer(text):
        if len(found) == len(wanted):
            break
        lexeme = match[0]
        if lexeme in "}]":
            steps.pop()
            prefixes.pop()
        elif lexeme == ",":
            step = steps[-1]
            if isinstance(step, int):
                steps[-1] = step + 1
            else:
                is_name = True
            continue
        elif is_name:
            steps[-1] = json.loads(lexeme)
        elif lexeme != ":":
            pointer = prefixes[-1] + pointer_step(steps[-1]) if steps else ""
            if pointer in wanted and pointer not in found:
                line += text.count("\n", line_start, match.start())
                line_start = text.rfind("\n", 0, match.start()) + 1
                found[pointer] = (line, match.start() - line_start + 1)
            if lexeme in "{[":
                prefixes.append(pointer)
                steps.append("" if lexeme == "{" else 0)
        is_name = lexeme == "{"
    return found
