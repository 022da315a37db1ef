"""The presenter that values of other rooms ask to show them (`base/display.py`)."""

from __future__ import annotations

from typing import Any

from fairlead.advice.advice import Advice
from fairlead.checker.result import Result, Results
from fairlead.evidence.evidence import Evidence
from fairlead.model.explicit import ExplicitGraph
from fairlead.outcome.coverage import Coverage
from fairlead.outcome.vacuity import Vacuity
from fairlead.present.sentences.result import Said
from fairlead.simulation.value import Simulation


class FairleadPresenter:
    """Renders every value that can be shown. What a form needs is imported when it is asked for."""

    def said(self, value: object) -> Said:
        """The text about a result."""
        assert isinstance(value, Result)
        return Said(value)

    def json(self, value: object) -> dict[str, Any]:
        """A result as the commands write it."""
        from fairlead.present.result_json import result_json

        assert isinstance(value, Result)
        return result_json(value)

    def text(self, value: object) -> str:
        """Results and advice as the commands print them, and reasons in a sentence."""
        match value:
            case Vacuity():
                from fairlead.present.sentences.vacuity import vacuity_text

                return vacuity_text(value)
            case Result():
                from fairlead.present.text.result import result_lines

                return "\n".join(result_lines(value))
            case Advice():
                from fairlead.present.text.advice import advice_lines

                return "\n".join(advice_lines(value))
            case Coverage():
                from fairlead.present.text.coverage import coverage_lines

                return "\n".join(coverage_lines(value))
        raise TypeError(f"{type(value).__name__} has no text")

    def notebook(self, value: object) -> str:
        """What a notebook shows for a value."""
        match value:
            case Results():
                from fairlead.present.html.report import html_report

                return html_report(value)._repr_html_()
            case Result() | Evidence() | ExplicitGraph() | Simulation() | Advice() | Coverage():
                from fairlead.present.html.notebook import html_of

                return html_of(value)
        raise TypeError(f"{type(value).__name__} has no HTML")

    def page(self, value: object, title: str) -> str:
        """A page that stands alone."""
        match value:
            case Result() | Results():
                from fairlead.present.html.report import html_report

                return html_report(value, title).page()
            case Advice():
                from fairlead.present.html.advice import advice_report

                return advice_report([value], title).page()
        raise TypeError(f"{type(value).__name__} has no page")


PRESENTER = FairleadPresenter()
