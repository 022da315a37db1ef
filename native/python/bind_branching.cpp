#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/bind.hpp"
#include "python/bind_runs.hpp"
#include "search/branching.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

namespace {

// A method of Labelling, called without the interpreter lock.
template <auto kMethod, typename... Arguments>
auto unlocked(Labelling& self, Arguments... arguments) {
  nb::gil_scoped_release unlock;
  return (self.*kMethod)(arguments...);
}

std::vector<std::size_t> numbers(const BitSet& set) {
  std::vector<std::size_t> found;
  set.for_each([&](std::size_t number) { found.push_back(number); });
  return found;
}

}  // namespace

void bind_branching(nb::module_& module) {
  nb::class_<Labelling>(module, "Labelling")
      .def(
          "__init__",
          [](Labelling* self, Atoms& atoms, const Fairness& fairness, bool idles, bool always_continues) {
            nb::gil_scoped_release unlock;
            new (self) Labelling(atoms, fairness, idles, always_continues);
          },
          "atoms"_a, "fairness"_a, "idles"_a, "always_continues"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("constant", &Labelling::constant, "value"_a)
      .def("atom", &Labelling::atom, "atom"_a)
      .def("negation", unlocked<&Labelling::negation, FormulaId>, "p"_a)
      .def("conjunction", unlocked<&Labelling::conjunction, FormulaId, FormulaId>, "p"_a, "q"_a)
      .def("disjunction", unlocked<&Labelling::disjunction, FormulaId, FormulaId>, "p"_a, "q"_a)
      .def("next", unlocked<&Labelling::next, FormulaId>, "p"_a)
      .def("until", unlocked<&Labelling::until, FormulaId, FormulaId>, "p"_a, "q"_a)
      .def("always", unlocked<&Labelling::always, FormulaId>, "p"_a)
      .def(
          "accepted",
          [](Labelling& self, const Automaton& automaton, const std::vector<std::pair<bool, std::uint32_t>>& letters) {
            nb::gil_scoped_release unlock;
            std::vector<Labelling::Letter> given;
            for (const auto& [is_step, number] : letters) given.push_back({is_step, number});
            return self.accepted(automaton, given);
          },
          "automaton"_a, "letters"_a)
      .def_prop_ro("kinds", [](const Labelling& self) { return self.kinds(); })
      .def("reads_steps", &Labelling::reads_steps, "formula"_a)
      .def("after", &Labelling::after, "formula"_a, "kind"_a)
      .def("holds", &Labelling::holds, "formula"_a, "state"_a, "action"_a)
      .def("is_fair", unlocked<&Labelling::is_fair, StateId>, "state"_a)
      .def_prop_ro("is_always_fair", unlocked<&Labelling::is_always_fair>)
      .def(
          "counts",
          [](Labelling& self, FormulaId formula) {
            nb::gil_scoped_release unlock;
            const auto [everywhere, partly] = self.where(formula);
            return std::make_pair(everywhere.count(), partly.count());
          },
          "formula"_a)
      .def(
          "states",
          [](Labelling& self, FormulaId formula) {
            nb::gil_scoped_release unlock;
            const auto [everywhere, partly] = self.where(formula);
            return std::make_pair(numbers(everywhere), numbers(partly));
          },
          "formula"_a)
      .def(
          "way",
          [](Labelling& self, StateId state, FormulaId p, FormulaId q) {
            nb::gil_scoped_release unlock;
            return run_tuple(self.way(state, p, q));
          },
          "state"_a, "p"_a, "q"_a)
      .def(
          "fair_path",
          [](Labelling& self, StateId state, FormulaId p) {
            nb::gil_scoped_release unlock;
            return lasso_tuple(self.fair_path(state, p));
          },
          "state"_a, "p"_a)
      .def(
          "accepted_path",
          [](Labelling& self, StateId state, ActionId action, FormulaId formula) {
            nb::gil_scoped_release unlock;
            return lasso_tuple(self.accepted_path(state, action, formula));
          },
          "state"_a, "action"_a, "formula"_a);
}

}  // namespace fairlead
