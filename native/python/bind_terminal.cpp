// The Python face of terminal sets.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "behaviour/terminal.hpp"
#include "python/bind.hpp"
#include "python/bind_runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

void bind_terminal(nb::module_& module) {
  nb::enum_<ProgressKind>(module, "ProgressKind", "How many of some labels must occur in every terminal set.")
      .value("ONE_OF", ProgressKind::kOneOf)
      .value("ALL_OF", ProgressKind::kAllOf);
  nb::class_<TerminalSet>(module, "TerminalSet", "A terminal set that violates a demand, reached by a shortest way.")
      .def_prop_ro("lasso", [](const TerminalSet& self) { return lasso_tuple(self.lasso); })
      .def_ro("labels", &TerminalSet::labels)
      .def_ro("states", &TerminalSet::states)
      .def_ro("violating", &TerminalSet::violating, "How many terminal sets violate the demand.");
  nb::class_<TerminalSets>(module, "TerminalSets")
      .def(
          "__init__",
          [](TerminalSets* self, Graph& graph, std::size_t patience) {
            nb::gil_scoped_release unlock;
            new (self) TerminalSets(graph, patience);
          },
          "graph"_a, "patience"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("count", &TerminalSets::count)
      .def_prop_ro("group_count", &TerminalSets::group_count)
      .def(
          "violation",
          [](TerminalSets& self, ProgressKind kind, std::vector<LabelId> labels,
             std::optional<std::vector<LabelId>> condition) {
            nb::gil_scoped_release unlock;
            return self.violation(ProgressDemand{kind, std::move(labels), std::move(condition)});
          },
          "kind"_a, "labels"_a, "condition"_a.none());
}

}  // namespace fairlead
