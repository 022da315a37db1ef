// The Python face of minimisation.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "minimise/bisimulation.hpp"
#include "python/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

void bind_bisimulation(nb::module_& module) {
  module.def(
      "states_without_transitions",
      [](Graph& graph) {
        std::vector<StateId> found;
        EdgeBuffer buffer;
        for (StateId state = 0; state < graph.state_count(); ++state) {
          graph.ticker().tick();
          if (graph.edges(state, buffer).count == 0) found.push_back(state);
        }
        return found;
      },
      "graph"_a);
  nb::enum_<Equivalence>(module, "Equivalence", "The equivalence: which states are merged.")
      .value("STRONG", Equivalence::kStrong)
      .value("WEAK", Equivalence::kWeak)
      .value("DIVERGENCE", Equivalence::kDivergence);
  nb::class_<Bisimulation>(module, "Bisimulation")
      .def(
          "__init__",
          [](Bisimulation* self, Graph& graph, std::vector<std::uint32_t> labels, std::uint32_t label_count,
             std::vector<StateId> ended, std::vector<StateId> wrong, Equivalence equivalence) {
            Observation observation{std::move(labels), label_count, std::move(ended), std::move(wrong)};
            new (self) Bisimulation(graph, std::move(observation), equivalence);
          },
          "graph"_a, "labels"_a, "label_count"_a, "ended"_a, "wrong"_a, "equivalence"_a, nb::keep_alive<1, 2>())
      .def("run",
           [](Bisimulation& self) {
             nb::gil_scoped_release unlock;
             self.run();
           })
      .def_prop_ro("state_count", &Bisimulation::block_count)
      .def_prop_ro("transition_count", &Bisimulation::edge_count)
      .def_prop_ro("ended", &Bisimulation::ended)
      .def_prop_ro("wrong", &Bisimulation::wrong)
      .def(
          "block",
          [](const Bisimulation& self, StateId state) -> std::optional<std::uint32_t> {
            const std::uint32_t block = self.block_of(state);
            if (block == kNone) return std::nullopt;
            return block;
          },
          "state"_a)
      .def(
          "edges",
          [](const Bisimulation& self, std::uint32_t block) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
            for (const LtsEdge& edge : self.edges(block)) result.emplace_back(edge.label, edge.target);
            return result;
          },
          "block"_a);
}

}  // namespace fairlead
