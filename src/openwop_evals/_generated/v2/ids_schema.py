# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.

from __future__ import annotations

from typing import Annotated, TypeAlias
from msgspec import Meta

RunId: TypeAlias = Annotated[
    str, Meta(pattern="^(anon:)?[A-Za-z0-9._~-]{1,128}/[A-Za-z0-9._~-]{16,128}\\Z")
]
"Identifies one run: an owner part, optionally marked anonymous, a slash, and the run part."
NodeId: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9._~:-]{1,128}\\Z")]
"Identifies one node of a workflow."
AgentId: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9._~:-]{1,128}\\Z")]
"Identifies one agent."
