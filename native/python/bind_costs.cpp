// The Python face of the searches for the best run to a goal.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "behaviour/cheapest.hpp"
#include "behaviour/costliest.hpp"
#include "python/bind.hpp"
#include "python/bind_runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

void bind_costs(nb::module_& module) {
  nb::enum_<CostStatus>(module, "CostStatus", "How a search for the best run to a goal ended.")
      .value("FOUND", CostStatus::kFound)
      .value("NO_GOAL", CostStatus::kNoGoal)
      .value("BOTH_SIGNS", CostStatus::kBothSigns)
      .value("UNBOUNDED", CostStatus::kUnbounded)
      .value("TOO_LARGE", CostStatus::kTooLarge)
      .value("STATE_LIMIT", CostStatus::kStateLimit);
  nb::class_<BestRun>(module, "BestRun", "The best run to a goal; if there is none, a cycle in which its value grows.")
      .def_ro("status", &BestRun::status)
      .def_ro("value", &BestRun::value)
      .def_ro("start", &BestRun::start)
      .def_prop_ro("steps", [](const BestRun& self) { return run_tuple(self.steps); });
  module.def(
      "cheapest_run",
      [](NetworkGraph& graph, CodeId goal, CodeId cost, bool negated, bool known, std::size_t state_limit) {
        nb::gil_scoped_release unlock;
        return Cheapest(graph, {goal, cost, negated, known}).search(state_limit);
      },
      "graph"_a, "goal"_a, "cost"_a, "negated"_a, "known"_a, "state_limit"_a,
      "Explores the graph, which has just its initial states.");
  module.def(
      "costliest_run",
      [](NetworkGraph& graph, CodeId goal, CodeId cost, bool negated) {
        nb::gil_scoped_release unlock;
        return Costliest(graph, {goal, cost, negated, false}).search();
      },
      "graph"_a, "goal"_a, "cost"_a, "negated"_a, "The graph must be complete and keep its transitions.");
}

}  // namespace fairlead
