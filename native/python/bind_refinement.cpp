// The Python face of scans and refinement.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "behaviour/refine.hpp"
#include "behaviour/scan.hpp"
#include "python/bind.hpp"
#include "python/bind_runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

void bind_refinement(nb::module_& module) {
  nb::enum_<ScanGoal>(module, "ScanGoal", "What a scan looks for.")
      .value("NONDETERMINISTIC", ScanGoal::kNondeterministic)
      .value("DIVERGENT", ScanGoal::kDivergent);
  nb::class_<Scan>(module, "Scan")
      .def(nb::init<Graph&, ScanGoal>(), "graph"_a, "goal"_a, nb::keep_alive<1, 2>())
      .def(
          "run",
          [](Scan& self, std::size_t state_limit) {
            nb::gil_scoped_release unlock;
            return self.run(state_limit);
          },
          "state_limit"_a)
      .def("found", [](Scan& self) { return lasso_tuple(self.found()); });

  nb::enum_<RefinementModel>(module, "RefinementModel", "What a refinement compares.")
      .value("TRACES", RefinementModel::kTraces)
      .value("FAILURES", RefinementModel::kFailures)
      .value("FAILURES_DIVERGENCES", RefinementModel::kFailuresDivergences);
  nb::class_<RefinementSearch>(module, "RefinementSearch")
      .def(nb::init<Graph&, Graph&, RefinementModel>(), "implementation"_a, "specification"_a, "model"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "run",
          [](RefinementSearch& self, std::size_t state_limit) {
            nb::gil_scoped_release unlock;
            return self.run(state_limit);
          },
          "state_limit"_a)
      .def_prop_ro("pair_count", &RefinementSearch::pair_count)
      .def_prop_ro("specification_faulted", &RefinementSearch::specification_faulted)
      .def("found", [](RefinementSearch& self) { return lasso_tuple(self.found()); });
}

}  // namespace fairlead
