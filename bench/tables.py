"""What was measured as Markdown tables, one or more for each part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench import fm2009
from bench.aims import Judgement
from bench.cases import (
    COUNTED,
    COUNTERS,
    CTL,
    CTL_OPERATORS,
    EXPLORING,
    GOALS,
    LABELLING,
    REACHABILITY,
    SPIN,
    SPIN_COLLAPSED,
    SPIN_REDUCED,
    START,
    STRONG,
    STRUCTURE,
    VALUES,
    VIOLATED,
    WEAK,
    WITH,
    WITHOUT,
)
from bench.measuring import (
    Amount,
    Measurement,
    Outcome,
    command_seconds,
    cpu_seconds,
    nanoseconds_each,
    ratio,
    search_seconds,
)
from bench.ours import ALL, ONE, PLAIN, REDUCED

NONE = "–"
Cell = Callable[[Outcome], str]


@dataclass(frozen=True)
class Column:
    """One column: its title, and what stands there for a case."""

    title: str
    cell: Cell


def markdown(titles: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table whose first columns stand left and the others right."""
    lines = [_line(titles), _line(["---"] * left + ["---:"] * (len(titles) - left))]
    return "\n".join([*lines, *(_line(row) for row in rows)]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def seconds(value: float) -> str:
    """A time with three digits that say something."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def _time(label: str, amount: Amount = search_seconds) -> Cell:
    def cell(outcome: Outcome) -> str:
        found = outcome.get(label)
        if found is None:
            return NONE
        return f"{'> ' if found.unfinished else ''}{seconds(amount(found))}"

    return cell


def _ratio(above: str, below: str, amount: Amount = search_seconds) -> Cell:
    def cell(outcome: Outcome) -> str:
        found = ratio(outcome.get(above), outcome.get(below), amount)
        return NONE if found is None else str(found)

    return cell


def _count(label: str, what: Callable[[Measurement], int]) -> Cell:
    def cell(outcome: Outcome) -> str:
        found = outcome.get(label)
        return NONE if found is None or found.unfinished else f"{what(found):,}"

    return cell


def _system(outcome: Outcome) -> Measurement | None:
    """A measurement that counted the states of the system: ours, or SPIN's where all states are examined."""
    ours = (ONE.label, ALL.label, PLAIN.label, "pwf", "ewf", EXPLORING, *outcome.measured)
    return next((found for label in ours if (found := outcome.get(label)) and not found.unfinished), None)


def _size(what: Callable[[Measurement], int]) -> Cell:
    def cell(outcome: Outcome) -> str:
        found = _system(outcome)
        return NONE if found is None else f"{what(found):,}"

    return cell


def _bytes_each(label: str, amount: Callable[[Measurement], int | None]) -> Cell:
    """Bytes for each state of the system, of which SPIN may store several in its product with a formula."""

    def cell(outcome: Outcome) -> str:
        found, counted = outcome.get(label), _system(outcome)
        used = amount(found) if found is not None else None
        return f"{used / counted.states:,.0f}" if used and counted and counted.states else NONE

    return cell


CASE = Column("case", lambda outcome: outcome.name)
STATES = Column("states", _size(lambda one: one.states))
TRANSITIONS = Column("transitions", _size(lambda one: one.transitions))

TIMES = (
    CASE,
    STATES,
    TRANSITIONS,
    Column("SPIN s", _time(SPIN)),
    Column("fairlead, one core, s", _time(ONE.label)),
    Column("all cores, s", _time(ALL.label)),
    Column("SPIN / one core", _ratio(SPIN, ONE.label)),
    Column("SPIN / all cores", _ratio(SPIN, ALL.label)),
    Column("one core / all cores", _ratio(ONE.label, ALL.label)),
    Column("processor time: SPIN / one core", _ratio(SPIN, ONE.label, cpu_seconds)),
    Column("whole commands: SPIN / one core", _ratio(SPIN, ONE.label, command_seconds)),
)
WEAK_TIMES = (*TIMES, Column("SPIN / fairlead `--counters`", _ratio(SPIN, COUNTED)))
REDUCTIONS = (
    CASE,
    STATES,
    Column("SPIN: states", _count(SPIN_REDUCED, lambda one: one.states)),
    Column("s", _time(SPIN_REDUCED)),
    Column("fairlead: states", _count(REDUCED.label, lambda one: one.states)),
    Column("s", _time(REDUCED.label)),
    Column("fairlead, all states, s", _time(ONE.label)),
    Column("SPIN reduced / fairlead reduced", _ratio(SPIN_REDUCED, REDUCED.label)),
)
MEMORY = (
    CASE,
    STATES,
    Column("`-DCOLLAPSE`: states", _bytes_each(SPIN_COLLAPSED, lambda one: one.state_bytes)),
    Column("all in", _bytes_each(SPIN_COLLAPSED, lambda one: one.total_bytes)),
    Column("resident", _bytes_each(SPIN_COLLAPSED, lambda one: one.peak_bytes)),
    Column("SPIN plain: states", _bytes_each(SPIN, lambda one: one.state_bytes)),
    Column("all in", _bytes_each(SPIN, lambda one: one.total_bytes)),
    Column("fairlead: all in", _bytes_each(ONE.label, lambda one: one.total_bytes)),
    Column("resident", _bytes_each(ONE.label, lambda one: one.peak_bytes)),
    Column("all cores: all in", _bytes_each(ALL.label, lambda one: one.total_bytes)),
)


def _rate(label: str) -> Cell:
    """States in a second."""

    def cell(outcome: Outcome) -> str:
        found = outcome.get(label)
        if found is None or found.unfinished:
            return NONE
        return f"{found.states / max(found.seconds, 1e-6):,.0f}"

    return cell


GROWING = (
    CASE,
    STATES,
    TRANSITIONS,
    Column("SPIN s", _time(SPIN)),
    Column("fairlead, one core, s", _time(ONE.label)),
    Column("all cores, s", _time(ALL.label)),
    Column("one core, states/s", _rate(ONE.label)),
    Column("each transition: SPIN / one core", _ratio(SPIN, ONE.label, nanoseconds_each)),
    Column("SPIN: bytes each, all in", _bytes_each(SPIN, lambda one: one.total_bytes)),
    Column("fairlead", _bytes_each(ONE.label, lambda one: one.total_bytes)),
    Column("as it comes: states", _count(PLAIN.label, lambda one: one.states)),
    Column("s", _time(PLAIN.label)),
)


def _strength(outcome: Outcome, labels: Sequence[str]) -> str | None:
    return next((label for label in labels if label in outcome.measured), None)


def _notion(labels: Sequence[str]) -> Cell:
    def cell(outcome: Outcome) -> str:
        label = _strength(outcome, labels)
        return f"{label} {_time(label)(outcome)}" if label else NONE

    return cell


def _against_weak(labels: Sequence[str]) -> Cell:
    def cell(outcome: Outcome) -> str:
        above, below = _strength(outcome, labels), _strength(outcome, ("pwf", "ewf"))
        return _ratio(above, below)(outcome) if above and below else NONE

    return cell


STRONGER = (
    CASE,
    STATES,
    TRANSITIONS,
    Column("weak, s", _notion(("pwf", "ewf"))),
    Column("strong, s", _notion(("psf", "esf"))),
    Column("strong global, s", _notion(("sgf",))),
    Column("strong / weak", _against_weak(("psf", "esf"))),
    Column("strong global / weak", _against_weak(("sgf",))),
)
VIOLATIONS = (
    CASE,
    Column("SPIN: states", _count(SPIN, lambda one: one.states)),
    Column("search s", _time(SPIN)),
    Column("command s", _time(SPIN, command_seconds)),
    Column("with reduction: command s", _time(SPIN_REDUCED, command_seconds)),
    Column("fairlead: states", _count(PLAIN.label, lambda one: one.states)),
    Column("search s", _time(PLAIN.label)),
    Column("command s", _time(PLAIN.label, command_seconds)),
    Column("commands: fairlead / SPIN", _ratio(PLAIN.label, SPIN, command_seconds)),
    Column("/ SPIN with reduction", _ratio(PLAIN.label, SPIN_REDUCED, command_seconds)),
)


REACHED = (
    CASE,
    Column("SPIN: states", _count(SPIN, lambda one: one.states)),
    Column("search s", _time(SPIN)),
    Column("command s", _time(SPIN, command_seconds)),
    Column("fairlead: states", _count(PLAIN.label, lambda one: one.states)),
    Column("search s", _time(PLAIN.label)),
    Column("command s", _time(PLAIN.label, command_seconds)),
)


def _each_operator(outcome: Outcome) -> str:
    found = outcome.get(LABELLING)
    if found is None or found.unfinished:
        return NONE
    return f"{found.seconds / (found.states + found.transitions) / CTL_OPERATORS * 1e9:.1f}"


BRANCHING = (
    Column("philosophers", lambda outcome: outcome.size),
    STATES,
    TRANSITIONS,
    Column("exploring s", _time(EXPLORING)),
    Column("labelling s", _time(LABELLING)),
    Column("labelling / exploring", _ratio(LABELLING, EXPLORING)),
    Column("ns for each element and operator", _each_operator),
)
OVERHEAD = (
    CASE,
    STATES,
    Column("without s", _time(WITHOUT)),
    Column("with s", _time(WITH)),
    Column("with / without", _ratio(WITH, WITHOUT)),
)
STARTS = (
    Column("case", lambda outcome: outcome.system),
    STATES,
    Column("command s", _time(PLAIN.label, command_seconds)),
    Column("check s", _time(PLAIN.label)),
)


def _paper(notion: str) -> Column:
    def cell(outcome: Outcome) -> str:
        found = outcome.get(notion)
        if found is None:
            return NONE
        theirs = fm2009.seconds_of(outcome.system, outcome.size, notion)
        verdict = f"{found.verdict} " if not found.unfinished else ""
        return f"{verdict}{_time(notion)(outcome)}" + (f" ({theirs})" if theirs else "")

    return Column(notion, cell)


PAPER = (
    Column("system", lambda outcome: f"{outcome.system}({outcome.size})"),
    *(_paper(notion) for notion in fm2009.NOTIONS),
)


def growth_rows(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, ...]]:
    """How times grow when the number of processes of a counted system grows."""
    lines = {(one.system, one.size): one for one in outcomes if one.part == COUNTERS and one.kind == "paper"}
    for system, small, large in (
        ("LE", "1000", "10000"),
        ("LE", "10000", "100000"),
        ("KV", "5", "8"),
        ("Stack", "10", "12"),
        ("ML", "1000", "10000"),
    ):
        first, second = lines.get((system, small)), lines.get((system, large))
        if first is None or second is None:
            continue
        cells = [ratio(second.get(notion), first.get(notion)) for notion in ("pwf", "psf")]
        yield (
            f"{system}({int(large):,}) / {system}({int(small):,})",
            *(NONE if one is None else str(one) for one in cells),
        )


def _table(outcomes: Sequence[Outcome], columns: Sequence[Column], left: int = 1) -> str:
    rows = [[column.cell(outcome) for column in columns] for outcome in outcomes]
    return markdown([column.title for column in columns], rows, left)


@dataclass(frozen=True)
class Sheet:
    """A table with its heading; which cases stand in it, and what they show."""

    heading: str
    part: str
    columns: tuple[Column, ...]
    shown: Callable[[Outcome], bool] = lambda outcome: True

    def text(self, outcomes: Sequence[Outcome]) -> str | None:
        """The table, None without a row."""
        rows = [outcome for outcome in outcomes if outcome.part == self.part and self.shown(outcome)]
        return _table(rows, self.columns) if rows else None


def _has(*labels: str) -> Callable[[Outcome], bool]:
    return lambda outcome: any(label in outcome.measured for label in labels)


SHEETS = (
    Sheet("All states", REACHABILITY, TIMES),
    Sheet("Changing structure, all states", STRUCTURE, GROWING),
    Sheet("Library values, all states", VALUES, GROWING),
    Sheet("Partial order reduction", REACHABILITY, REDUCTIONS, _has(SPIN_REDUCED, REDUCED.label)),
    Sheet("Weak fairness, the property holds", WEAK, WEAK_TIMES),
    Sheet("Bytes for each state, all states", REACHABILITY, MEMORY, _has(SPIN_COLLAPSED)),
    Sheet("Bytes for each state, weak fairness", WEAK, MEMORY, _has(SPIN_COLLAPSED)),
    Sheet("A goal that can be reached", GOALS, REACHED),
    Sheet("Strong and strong global fairness", STRONG, STRONGER),
    Sheet("The property is violated", VIOLATED, VIOLATIONS),
    Sheet("Start to verdict", START, STARTS),
    Sheet("CTL under a fairness formula", CTL, BRANCHING),
    Sheet(
        "Process counters, compared with the seconds of FM 2009",
        COUNTERS,
        PAPER,
        lambda one: one.kind == "paper",
    ),
    Sheet(
        "Process counters where nothing is symmetric", COUNTERS, OVERHEAD, lambda one: one.kind == "overhead"
    ),
)


def sections(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    """Headings with their tables."""
    for sheet in SHEETS:
        text = sheet.text(outcomes)
        if text is not None:
            yield sheet.heading, text
    growth = list(growth_rows(outcomes))
    if growth:
        yield "Process counters, growth", markdown(["times", "pwf", "psf"], growth)


def aims_table(judgements: Sequence[Judgement]) -> str:
    """Each aim with the worst and the mean figure, and whether it is met."""
    rows = []
    for judgement in judgements:
        aim, worst = judgement.aim, judgement.worst
        suffix = " s" if aim.unit == "s" else aim.unit
        if worst is None:
            measured = [NONE, NONE, NONE, "not measured"]
        else:
            said = "yes" if judgement.met else "**no**"
            measured = [
                f"{worst.ratio}{suffix} ({worst.name})",
                f"{_mean(judgement)}{suffix}",
                f"{judgement.kept} of {len(judgement.figures)}",
                said,
            ]
        rows.append([aim.work, aim.against, aim.shown, *measured])
    titles = ["work", "against", "aim", "worst case", "mean", "cases that keep to it", "met"]
    return markdown(titles, rows, left=4)


def _mean(judgement: Judgement) -> str:
    return f"{judgement.mean:,.0f}" if judgement.mean >= 1000 else f"{judgement.mean:.2f}"


def problems(outcomes: Sequence[Outcome]) -> list[str]:
    """What went wrong, as lines."""
    return [f"{outcome.name}: {problem}" for outcome in outcomes for problem in outcome.problems]
