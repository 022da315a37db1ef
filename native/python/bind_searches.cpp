#include "python/bind_searches.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/bind_runs.hpp"
#include "search/prefix.hpp"
#include "search/survey.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

namespace {

using TransitionTuple =
    std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint64_t>;

Automaton make_automaton(std::uint32_t states, std::uint32_t initial, unsigned acceptance_sets,
                         const std::vector<TransitionTuple>& transitions, const std::vector<bool>& may_accept) {
  Automaton automaton;
  automaton.states = states;
  automaton.initial = initial;
  automaton.acceptance_sets = acceptance_sets;
  for (const auto& [source, positive, negative, target, marks] : transitions) {
    automaton.transitions.push_back({source, positive, negative, target, marks});
  }
  automaton.may_accept.assign(may_accept.begin(), may_accept.end());
  return automaton;
}

}  // namespace

void bind_searches(nb::module_& module) {
  nb::class_<Automaton>(module, "Automaton")
      .def("__init__",
           [](Automaton* self, std::uint32_t states, std::uint32_t initial, unsigned acceptance_sets,
              const std::vector<TransitionTuple>& transitions, const std::vector<bool>& may_accept) {
             new (self) Automaton(make_automaton(states, initial, acceptance_sets, transitions, may_accept));
           },
           "states"_a, "initial"_a, "acceptance_sets"_a, "transitions"_a, "may_accept"_a)
      .def_static("everything", &Automaton::everything);

  nb::class_<Product>(module, "Product")
      .def("__init__",
           [](Product* self, Atoms& atoms, const Automaton& automaton) {
             new (self) Product(atoms, automaton);
           },
           "atoms"_a, "automaton"_a, nb::keep_alive<1, 2>());

  nb::class_<ComponentSearch>(module, "ComponentSearch")
      .def("__init__",
           [](ComponentSearch* self, Product& product, const Fairness& fairness, bool early, bool complete) {
             new (self) ComponentSearch(product, fairness, early, complete);
           },
           "product"_a, "fairness"_a, "early"_a, "complete"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("run",
           [](ComponentSearch& self, std::uint64_t steps) {
             nb::gil_scoped_release unlock;
             return static_cast<int>(self.run(steps));
           })
      .def_prop_ro("node_count", &ComponentSearch::node_count)
      .def_prop_ro("is_by_layers", &ComponentSearch::is_by_layers)
      .def("lasso", [](ComponentSearch& self, Product& product) {
        nb::gil_scoped_release unlock;
        LassoBuilder builder(product, self.fairness(), self.part());
        return lasso_tuple(builder.build());
      });

  nb::class_<Survey>(module, "Survey")
      .def(nb::init<ComponentSearch&>(), "search"_a, nb::keep_alive<1, 2>())
      .def("run",
           [](Survey& self, std::size_t most) {
             nb::gil_scoped_release unlock;
             return self.run(most);
           },
           "most"_a)
      .def_prop_ro("found", [](const Survey& self) {
        using Numbers = std::vector<std::uint32_t>;
        std::vector<std::tuple<Numbers, Numbers, Numbers, Numbers>> ways;
        for (const Unfairness& way : self.found()) {
          ways.emplace_back(way.weak_events, way.strong_events, way.weak_processes, way.strong_processes);
        }
        return ways;
      });

  nb::class_<PrefixSearch>(module, "PrefixSearch")
      .def("__init__",
           [](PrefixSearch* self, Product& product, const std::vector<bool>& accepts_everything) {
             new (self) PrefixSearch(product, {accepts_everything.begin(), accepts_everything.end()});
           },
           nb::keep_alive<1, 2>())
      .def("run",
           [](PrefixSearch& self, std::size_t state_limit) {
             nb::gil_scoped_release unlock;
             return static_cast<int>(self.run(state_limit));
           })
      .def_prop_ro("node_count", &PrefixSearch::node_count)
      .def("prefix", [](const PrefixSearch& self) { return lasso_tuple(self.prefix()); });
}

}  // namespace fairlead
