"""The small programs with what SPIN answers: fairlead gives the same answers, and counts the same states.

Programs in which it does not are listed here, each with the reason.
"""

from __future__ import annotations

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from tests.support.promela.programs import FOLDER, Expected, table

#: what fairlead refuses to read
REFUSED = {
    "for_channel": "for over the messages of a channel",
    "priority_blocked_process": "priorities",
    "priority_higher_first": "priorities",
    "priority_of_run": "priorities",
    "priority_of_run_in_order": "priorities",
    "priority_set": "priorities",
    "unless_receive": "a rendezvous at the beginning of an escape",
    "unless_send": "a rendezvous at the beginning of an escape",
}
#: where the answers differ
OTHER_ANSWERS = {
    ("conversion_int_overflow", "safety"): "what does not fit into 32 bits is a run-time error",
    ("fairness_blocked_processes", "fair-ltl"): "pan -f lets blocked processes pass",
    ("fairness_terminated_processes", "fair-ltl"): "pan -f lets terminated processes pass",
    ("notrace_matched", "safety"): "event traces are not checked",
    ("trace_violated", "safety"): "event traces are not checked",
    ("surprise_length_in_a_handshake", "safety"): "in SPIN, a rendezvous channel is full while it is used",
    ("surprise_message_that_does_not_fit", "safety"): "SPIN takes back the receipt of another message",
    ("surprise_nr_pr_counts_the_claim", "ltl"): "in SPIN, a claim is a process for _nr_pr",
    ("surprise_poll_in_a_sum", "safety"): "SPIN writes a poll without parentheses",
}
#: where the answers agree, and the counts do not
OTHER_COUNTS = {
    "atomic_loop": "an atomic sequence that comes back to a point is cut there",
    "counting_end_of_atomic": "an atomic sequence is cut before it sends on a channel without buffer",
    "counting_end_of_atomic_without_if": "the same",
    "rendezvous_in_atomic_receiver": "an atomic sequence is cut before it sends on a channel without buffer",
    "hidden_variable": "hidden variables are part of the state",
}
KINDS = {"safety": "safety", "progress": "|= progress", "acceptance": "|= acceptance"}
ROWS = [
    (program, question, expected)
    for (program, question), expected in table().items()
    # never claims are not checked
    if not question.startswith("claim") and not (program.startswith("claim_") and question != "safety")
]


@pytest.mark.parametrize(
    ("program", "question", "expected"), ROWS, ids=[f"{program}-{question}" for program, question, _ in ROWS]
)
def test_programs(program: str, question: str, expected: Expected) -> None:
    path = FOLDER / f"{program}.pml"
    if program in REFUSED:
        with pytest.raises(InputError):
            fairlead.load(path)
        return
    model = fairlead.load(path)
    kind, _, name = question.removeprefix("fair-").partition(" ")
    formulas = [one.text for one in model.assertions if one.text.startswith("system |=")]
    asked = KINDS.get(kind) or (f"ltl {name}" if name else formulas[-1])
    result = model.check(asked, "pwf" if question.startswith("fair-") else "none", reduction="none")
    agrees = (result.verdict is fairlead.Verdict.HOLDS) is (expected.answer == "no error")
    assert agrees is ((program, question) not in OTHER_ANSWERS)
    if question == "safety" and agrees and expected.answer == "no error":
        found = model.check("reaches false", reduction="none").statistics
        counts_agree = (found.states, found.transitions) == (expected.states, expected.transitions)
        assert counts_agree is (program not in OTHER_COUNTS)
