"""Evidence about counted processes: a run of the processes themselves, judged on the reference semantics."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.checker.answer import Answering
from fairlead.checker.questions import Questions
from fairlead.checker.result import CountersReport, Result
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.lasso_ltl import holds_on, word_of
from fairlead.evidence.validate import ReachesDeadlock, ReachesGoal
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.assertion import Assertion, DeadlockFree, Enabled, Reaches, Ready, Satisfies
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import idle_step
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.reduce.counters.concrete_judge import Judge
from fairlead.reduce.counters.concretise import concrete_run
from fairlead.reduce.counters.network import CountedNetwork
from fairlead.search.assumptions import FairnessAsked

#: a run of the processes themselves is made if it has at most so many steps, times the number of processes
STEP_BUDGET = 100_000
#: of more processes than these, a run is judged on two in each local state, since all others do the same
FEW = 40


class CountedEvidence:
    """Makes results of what was found with processes counted."""

    def __init__(self, questions: Questions, answering: Answering) -> None:
        self._questions = questions
        self._answering = answering

    def result(
        self,
        question: Assertion,
        asked: FairnessAsked,
        finding: Finding,
        reduction: CountedNetwork,
        network: Network,
        report: CountersReport,
        clock: Clock,
    ) -> Result:
        """A result with a run of the processes themselves if one can be made, else with counted ones."""
        abstract, concrete = NetworkSystem(reduction.network), NetworkSystem(network)
        groups = [merged.group for merged in reduction.symmetry.merged.values()]
        is_few = sum(len(group.members) for group in groups) <= FEW
        run = finding.run if finding.demonstration is None else None
        if run is not None and (is_few or self._can_be_sampled(question, asked, finding)):
            same = reduction.symmetry.same
            run = concrete_run(abstract, concrete, run, groups, same, asked.notion, STEP_BUDGET)
        else:
            run = None
        if run is None:
            result = self._answering.result(question, asked, finding, abstract, clock)
            return replace(result, counters=replace(report, is_counted=finding.run is not None))
        shown = replace(finding, run=run, shortfall=None)
        if is_few:
            result = self._answering.result(question, asked, shown, concrete, clock)
        else:
            judge = Judge(concrete, groups, reduction.symmetry.kind)
            evidence = self._sampled(question, asked, run, judge, concrete)
            plain = replace(shown, run=None)
            result = replace(
                self._answering.result(question, asked, plain, concrete, clock), evidence=evidence
            )
        return replace(result, shortfall=finding.shortfall, counters=report)

    def _can_be_sampled(self, question: Assertion, asked: FairnessAsked, finding: Finding) -> bool:
        """Whether a run of very many processes can be judged by looking at some of them."""
        if asked.notion is not Fairness.NONE and asked.notion.subject is not Subject.PROCESSES:
            return False
        if finding.annotations or finding.conjuncts:
            return False
        if isinstance(question, Satisfies):
            meanings = self._questions.formula(question).meanings.values()
            return not any(isinstance(meaning, Enabled | Ready) for meaning in meanings)
        return isinstance(question, Reaches | DeadlockFree)

    def _sampled(
        self, question: Assertion, asked: FairnessAsked, run: Run, judge: Judge, system: NetworkSystem
    ) -> Evidence:
        problem: object = judge.replay_problem(run)
        if problem is None:
            match question:
                case Satisfies():
                    ltl = self._questions.formula(question)
                    # after a bad prefix it does not matter what comes
                    whole = run if run.loop else Run(run.start, run.stem, (idle_step(run.loop_start),))
                    problem = judge.loop_problem(run, asked.notion)
                    if problem is None and holds_on(ltl.formula, word_of(whole), ltl.meanings, system):
                        problem = "the run satisfies the formula"
                case Reaches(goal=goal):
                    problem = ReachesGoal(goal).judge(system, run)
                case _:
                    problem = ReachesDeadlock().judge(system, run)
        if problem is not None:
            message = f"a counterexample of counted processes did not pass validation: {problem}"
            hint = "this is a bug in fairlead, not in the model; please report it with the model"
            raise InternalError((Diagnostic(Code.INTERNAL, message, hint=hint),))
        return Evidence(system, run, asked.notion)
