// The Python face of terminal sets.
#include "python/bind_terminal.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "behaviour/terminal.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

using RunTuple = std::vector<std::pair<ActionId, StateId>>;
using LassoTuple = std::tuple<StateId, RunTuple, RunTuple>;
// the run, the labels in the set, its states, and how many terminal sets violate the demand
using SetTuple = std::tuple<LassoTuple, std::vector<LabelId>, std::uint64_t, std::uint64_t>;

RunTuple run_tuple(const std::vector<RunStep>& steps) {
  RunTuple result;
  for (const RunStep& step : steps) result.emplace_back(step.action, step.state);
  return result;
}

std::optional<SetTuple> set_tuple(const std::optional<TerminalSet>& found) {
  if (!found) return std::nullopt;
  const Lasso& lasso = found->lasso;
  return SetTuple{LassoTuple{lasso.start, run_tuple(lasso.stem), run_tuple(lasso.loop)}, found->labels,
                  found->states, found->violating};
}

}  // namespace

void bind_terminal(nb::module_& module) {
  nb::class_<TerminalSets>(module, "TerminalSets")
      .def("__init__",
           [](TerminalSets* self, Graph& graph, std::size_t patience) {
             nb::gil_scoped_release unlock;
             new (self) TerminalSets(graph, patience);
           },
           "graph"_a, "patience"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("count", &TerminalSets::count)
      .def_prop_ro("group_count", &TerminalSets::group_count)
      .def("violation",
           [](TerminalSets& self, int kind, std::vector<LabelId> labels,
              std::optional<std::vector<LabelId>> condition) {
             nb::gil_scoped_release unlock;
             return set_tuple(self.violation(ProgressDemand{static_cast<ProgressDemand::Kind>(kind),
                                                            std::move(labels), std::move(condition)}));
           },
           "kind"_a, "labels"_a, "condition"_a.none());
}

}  // namespace fairlead
