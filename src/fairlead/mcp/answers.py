"""Makes the answers of tools: words for a reader, a record for programs, or the reason for a refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass

#: no answer has more characters: it is read by something whose memory is short
LONGEST = 60_000


@dataclass(frozen=True)
class Answer:
    """What a tool answers."""

    text: str
    record: Mapping[str, Any] | None = None
    is_error: bool = False

    def to_result(self) -> CallToolResult:
        """The answer as the protocol has it; of one that is too long, the beginning, and it says so."""
        text, record = self.text.rstrip() or "There is nothing to say.", self.record
        if record is not None and len(json.dumps(record)) > LONGEST:
            record = None
            text += f"\n\nThe record is left out: it has more than {LONGEST} characters."
        if len(text) > LONGEST:
            left = len(text) - LONGEST
            text = f"{text[:LONGEST]}\n\n… {left} more characters are left out"
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=record, is_error=self.is_error
        )


def refused(error: FairleadError) -> Answer:
    """What is wrong with a call, or with a model."""
    return Answer(str(error), is_error=True)
