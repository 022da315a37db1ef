"""Why an assertion that holds does so for a trivial reason, in words."""

from __future__ import annotations

from fairlead.outcome.vacuity import ConstantAtom, Vacuity, VacuityKind

#: longer formulas are not repeated in the row of a result
_LONGEST = 40
_VACUOUSLY = "vacuously: "


def vacuity_remark(vacuity: Vacuity) -> str:
    """The reason in a few words."""
    match vacuity.kind:
        case VacuityKind.NO_FAIR_EXECUTION:
            return f"{_VACUOUSLY}no fair execution"
        case VacuityKind.TAUTOLOGY:
            return f"{_VACUOUSLY}in every system"
        case VacuityKind.STRONGER:
            return _short(f"even {vacuity.stronger}", "an even stronger formula")
        case VacuityKind.PROPOSITION:
            return _short(
                f"{_VACUOUSLY}{atom_words(vacuity.atoms[0])}", f"{_VACUOUSLY}a proposition never changes"
            )
    if vacuity.condition is not None:
        never = f"{_VACUOUSLY}{_never_true(vacuity.condition)}"
        return _short(never, f"{_VACUOUSLY}{_never_true('a condition')}")
    return _short(f"{_VACUOUSLY}whatever {vacuity.part} is", f"{_VACUOUSLY}whatever a part of it is")


def vacuity_text(vacuity: Vacuity) -> str:
    """The reason in a sentence."""
    match vacuity.kind:
        case VacuityKind.NO_FAIR_EXECUTION:
            return "there is no fair execution"
        case VacuityKind.TAUTOLOGY:
            because = "" if vacuity.detail is None else f": {vacuity.detail}"
            return f"it holds in every system{because}"
        case VacuityKind.STRONGER:
            return f"{_because(vacuity)}a stronger formula holds: {vacuity.stronger}"
    return f"{_because(vacuity)}the stronger {vacuity.stronger} holds already"


def _because(vacuity: Vacuity) -> str:
    no_part = f"{vacuity.part} plays no part"
    if vacuity.atoms:
        reason = " and ".join(map(atom_words, vacuity.atoms))
    elif vacuity.condition is not None:
        reason = _never_true(vacuity.condition) + (" in a fair execution" if vacuity.only_fair else "")
    else:
        return f"{no_part}: "
    hints = "".join(f" ({atom.hint})" for atom in vacuity.atoms if atom.hint is not None)
    role = f"nothing is asked of {vacuity.part}" if vacuity.asks_nothing else no_part
    return f"{reason}{hints}, so {role}: "


def atom_words(atom: ConstantAtom) -> str:
    """That an atom is never true, or always."""
    if atom.is_event and not atom.value:
        return f"{atom.text} never happens"
    return f"{atom.text} is always true" if atom.value else _never_true(atom.text)


def _never_true(what: str) -> str:
    return f"{what} is never true"


def _short(text: str, otherwise: str) -> str:
    return text if len(text) <= _LONGEST + len(_VACUOUSLY) else otherwise
