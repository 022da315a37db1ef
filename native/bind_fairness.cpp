#include "bind_fairness.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

Fairness make_fairness(int level, bool strong, bool global, const Clauses* clauses) {
  return Fairness{static_cast<FairnessLevel>(level),
                  strong ? FairnessStrength::kStrong : FairnessStrength::kWeak, global, clauses};
}

void bind_fairness(nb::module_& module) {
  nb::class_<Annotations>(module, "Annotations")
      .def("__init__",
           [](Annotations* self, Graph& graph) { new (self) Annotations(graph.budget()); },
           nb::keep_alive<1, 2>())
      .def("number", &Annotations::number, "kind"_a, "label"_a)
      .def("set_ready", &Annotations::set_ready, "state"_a, "numbers"_a)
      .def("find",
           [](Annotations& self, NetworkGraph& graph) {
             nb::gil_scoped_release unlock;
             find_annotations(graph, self);
           })
      .def("ready",
           [](const Annotations& self, StateId state) {
             const auto found = self.ready(state);
             return std::vector<std::uint32_t>(found.begin(), found.end());
           })
      .def_prop_ro("all", [](const Annotations& self) {
        std::vector<std::pair<int, LabelId>> found;
        for (const auto& [kind, label] : self.all()) found.emplace_back(kind, label);
        return found;
      });

  nb::class_<Clauses>(module, "Clauses")
      .def("__init__",
           [](Clauses* self, Graph& graph, const Annotations& annotations) {
             new (self) Clauses(graph, annotations);
           },
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add",
           [](Clauses& self, int demand, const std::vector<ActionId>& actions, std::int64_t ready) {
             self.add(static_cast<Demand>(demand), actions,
                      ready < 0 ? kNone : static_cast<std::uint32_t>(ready));
           },
           "demand"_a, "actions"_a, "ready"_a);

  nb::class_<FairRegion>(module, "FairRegion")
      .def("__init__",
           [](FairRegion* self, Product& product, int level, bool strong, bool global, const Clauses* clauses) {
             nb::gil_scoped_release unlock;
             new (self) FairRegion(product, make_fairness(level, strong, global, clauses));
           },
           "product"_a, "level"_a, "strong"_a, "global_"_a, "clauses"_a.none(), nb::keep_alive<1, 2>())
      .def_prop_ro("has_start", &FairRegion::has_start)
      .def_prop_ro("has_all", &FairRegion::has_all)
      .def("way_out", [](FairRegion& self) {
        nb::gil_scoped_release unlock;
        return self.way_out();
      });
}

}  // namespace fairlead
