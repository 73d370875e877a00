"""Where in a JSON text the value of a JSON Pointer stands."""

import json
import re

from openwop_evals._json import pointer_step

__all__ = ["locate"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def locate(text: str, pointer: str) -> tuple[int, int] | None:
    """Line and column, both from 1, of the first value at a pointer; None where there is none.

    Args:
        text: A valid JSON text.
        pointer: A JSON Pointer (RFC 6901).
    """
    steps: list[str | int] = []
    is_name = False
    for match in _TOKEN.finditer(text):
        lexeme = match[0]
        if lexeme in "}]":
            steps.pop()
        elif lexeme == ",":
            if isinstance(steps[-1], int):
                steps[-1] += 1
            else:
                is_name = True
            continue
        elif lexeme == ":":
            is_name = False
            continue
        elif is_name:
            steps[-1] = json.loads(lexeme)
        else:
            if "".join(map(pointer_step, steps)) == pointer:
                before = text[: match.start()]
                return before.count("\n") + 1, match.start() - before.rfind("\n")
            if lexeme == "{":
                steps.append("")
            elif lexeme == "[":
                steps.append(0)
        is_name = lexeme == "{"
    return None
