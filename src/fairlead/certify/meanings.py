"""What systems and the atoms of formulas mean: for the checker of certificates, and for the search."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.lang.language import Vocabulary
from fairlead.logic.ltl import Atom, AtomKind
from fairlead.model.assertion import AtomText, Enabled, Meaning
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import System


def as_system(found: Network | ExplicitGraph) -> System:
    """The reference semantics of what a language gives."""
    return NetworkSystem(found) if isinstance(found, Network) else found


def meanings_in(vocabulary: Vocabulary, found: Iterable[Atom]) -> dict[Atom, Meaning]:
    """What atoms mean in a system."""
    return {atom: _meaning(vocabulary, atom) for atom in found}


def _meaning(vocabulary: Vocabulary, atom: Atom) -> Meaning:
    match atom.kind:
        case AtomKind.EXECUTED:
            return vocabulary.subject(atom.text, atom.span)
        case AtomKind.ENABLED:
            return Enabled(vocabulary.subject(atom.text, atom.span))
        case kind:
            quoted, comparison = kind is AtomKind.QUOTED, kind is AtomKind.COMPARISON
            return vocabulary.meaning(AtomText(atom.text, quoted, comparison, atom.span))
