#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/bind.hpp"
#include "python/bind_runs.hpp"
#include "search/prefix.hpp"
#include "search/shortest.hpp"
#include "search/survey.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

void bind_searches(nb::module_& module) {
  nb::enum_<SearchStatus>(module, "SearchStatus", "How a search ended, or that it wants more states or steps.")
      .value("FOUND", SearchStatus::kFound)
      .value("NONE", SearchStatus::kNone)
      .value("PAUSED", SearchStatus::kPaused);
  module.attr("MOST_BITS") = kMostBits;
  nb::class_<Automaton>(module, "Automaton")
      .def(
          "__init__",
          [](Automaton* self, std::uint32_t initial, unsigned acceptance_sets, const std::vector<bool>& may_accept) {
            new (self) Automaton{static_cast<std::uint32_t>(may_accept.size()),
                                 initial,
                                 acceptance_sets,
                                 {},
                                 {may_accept.begin(), may_accept.end()}};
          },
          "initial"_a, "acceptance_sets"_a, "may_accept"_a, "`may_accept` has a value for each state.")
      .def(
          "add_transition",
          [](Automaton& self, std::uint32_t source, std::uint64_t positive, std::uint64_t negative,
             std::uint32_t target,
             Marks marks) { self.transitions.push_back({source, positive, negative, target, marks}); },
          "source"_a, "positive"_a, "negative"_a, "target"_a, "marks"_a)
      .def_static("everything", &Automaton::everything);

  nb::class_<Product>(module, "Product")
      .def(
          "__init__",
          [](Product* self, Atoms& atoms, const Automaton& automaton) { new (self) Product(atoms, automaton); },
          "atoms"_a, "automaton"_a, nb::keep_alive<1, 2>());

  nb::class_<ComponentSearch>(module, "ComponentSearch")
      .def(
          "__init__",
          [](ComponentSearch* self, Product& product, const Fairness& fairness, bool early, bool complete) {
            new (self) ComponentSearch(product, fairness, early, complete);
          },
          "product"_a, "fairness"_a, "early"_a, "complete"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "run",
          [](ComponentSearch& self, std::uint64_t steps) {
            nb::gil_scoped_release unlock;
            return self.run(steps);
          },
          "steps"_a)
      .def_prop_ro("node_count", &ComponentSearch::node_count)
      .def_prop_ro("is_by_layers", &ComponentSearch::is_by_layers)
      .def_prop_ro("is_global", [](const ComponentSearch& self) { return self.fairness().global; })
      .def(
          "lasso",
          [](ComponentSearch& self, Product& product, std::size_t longest) {
            nb::gil_scoped_release unlock;
            LassoBuilder builder(product, self.fairness(), self.part());
            return lasso_tuple(builder.build(longest));
          },
          "product"_a, "longest"_a = kAnyLength,
          "A fair run into the part that was found; without a loop if that would have more than `longest` steps.")
      .def(
          "cycle",
          [](ComponentSearch& self, Product& product) {
            nb::gil_scoped_release unlock;
            const FairPart part{self.part().nodes, self.part().excluded, kTrueCondition, {}};
            LassoBuilder builder(product, Fairness{}, part);
            return lasso_tuple(builder.build());
          },
          "product"_a, "The same with a loop in the part that the automaton accepts, fair or not.")
      .def(
          "component_size",
          [](ComponentSearch& self, Product& product) {
            nb::gil_scoped_release unlock;
            const std::vector<PartTransition> found = transitions_of(product, self.part());
            std::size_t states = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
              if (i == 0 || found[i].source != found[i - 1].source) ++states;
            }
            return std::pair(states, found.size());
          },
          "product"_a, "How many states and transitions of the system fair runs through all of the part take.")
      .def(
          "transitions",
          [](ComponentSearch& self, Product& product) {
            std::vector<std::tuple<StateId, ActionId, StateId>> result;
            nb::gil_scoped_release unlock;
            for (const PartTransition& found : transitions_of(product, self.part())) {
              result.emplace_back(found.source, found.step.action, found.step.state);
            }
            return result;
          },
          "product"_a, "Source, action and target of the transitions that fair runs through all of the part take.");

  nb::class_<ShortestLasso>(module, "ShortestLasso", "For a system that was explored completely.")
      .def(
          "__init__",
          [](ShortestLasso* self, Product& product, const Fairness& fairness, std::size_t most_work) {
            new (self) ShortestLasso(product, fairness, most_work);
          },
          "product"_a, "fairness"_a, "most_work"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "find",
          [](ShortestLasso& self, std::size_t below) -> std::optional<std::tuple<StateId, RunTuple, RunTuple>> {
            nb::gil_scoped_release unlock;
            const std::optional<Lasso> found = self.find(below);
            if (!found) return std::nullopt;
            return lasso_tuple(*found);
          },
          "below"_a, "The shortest fair lasso that the automaton accepts, if it has less than `below` steps.")
      .def_prop_ro("is_complete", &ShortestLasso::is_complete);

  nb::class_<Unfairness>(module, "Unfairness", "To whom a part is unfair: numbers of labels and processes.")
      .def_ro("weak_events", &Unfairness::weak_events)
      .def_ro("strong_events", &Unfairness::strong_events)
      .def_ro("weak_processes", &Unfairness::weak_processes)
      .def_ro("strong_processes", &Unfairness::strong_processes);
  nb::class_<Survey>(module, "Survey")
      .def(nb::init<ComponentSearch&>(), "search"_a, nb::keep_alive<1, 2>())
      .def(
          "run",
          [](Survey& self, std::size_t most) {
            nb::gil_scoped_release unlock;
            return self.run(most);
          },
          "most"_a)
      .def_prop_ro("found", [](const Survey& self) {
        return std::vector<Unfairness>(self.found().begin(), self.found().end());
      });

  nb::class_<PrefixSearch>(module, "PrefixSearch")
      .def(
          "__init__",
          [](PrefixSearch* self, Product& product, const std::vector<bool>& accepts_everything) {
            new (self) PrefixSearch(product, {accepts_everything.begin(), accepts_everything.end()});
          },
          "product"_a, "accepts_everything"_a, nb::keep_alive<1, 2>())
      .def(
          "run",
          [](PrefixSearch& self, std::size_t state_limit) {
            nb::gil_scoped_release unlock;
            return self.run(state_limit);
          },
          "state_limit"_a)
      .def_prop_ro("node_count", &PrefixSearch::node_count)
      .def_prop_ro("depth", &PrefixSearch::depth)
      .def_prop_ro("is_found", &PrefixSearch::is_found)
      .def("prefix", [](const PrefixSearch& self) { return lasso_tuple(self.prefix()); });
}

}  // namespace fairlead
