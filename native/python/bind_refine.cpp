// The Python face of scans and refinement.
#include "python/bind_refine.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "behaviour/refine.hpp"
#include "behaviour/scan.hpp"

namespace nb = nanobind;

namespace fairlead {
namespace {

using RunTuple = std::vector<std::pair<ActionId, StateId>>;

RunTuple run_tuple(const std::vector<RunStep>& steps) {
  RunTuple result;
  for (const RunStep& step : steps) result.emplace_back(step.action, step.state);
  return result;
}

std::tuple<StateId, RunTuple, RunTuple> lasso_tuple(const Lasso& lasso) {
  return {lasso.start, run_tuple(lasso.stem), run_tuple(lasso.loop)};
}

}  // namespace

void bind_refinement(nb::module_& module) {
  nb::class_<Scan>(module, "Scan")
      .def("__init__", [](Scan* self, Graph& graph,
                          int goal) { new (self) Scan(graph, static_cast<ScanGoal>(goal)); },
           nb::keep_alive<1, 2>())
      .def("run",
           [](Scan& self, std::size_t state_limit) {
             nb::gil_scoped_release unlock;
             return static_cast<int>(self.run(state_limit));
           })
      .def("found", [](Scan& self) { return lasso_tuple(self.found()); });

  nb::class_<RefinementSearch>(module, "RefinementSearch")
      .def("__init__",
           [](RefinementSearch* self, Graph& implementation, Graph& specification, int model) {
             new (self) RefinementSearch(implementation, specification, static_cast<RefinementModel>(model));
           },
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("run",
           [](RefinementSearch& self, std::size_t state_limit) {
             nb::gil_scoped_release unlock;
             return static_cast<int>(self.run(state_limit));
           })
      .def_prop_ro("pair_count", &RefinementSearch::pair_count)
      .def_prop_ro("specification_faulted", &RefinementSearch::specification_faulted)
      .def("found", [](RefinementSearch& self) { return lasso_tuple(self.found()); });
}

}  // namespace fairlead
