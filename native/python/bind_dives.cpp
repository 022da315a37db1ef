// Dives: what they look for, what guides them, and the runs that they find.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/bind.hpp"
#include "python/bind_runs.hpp"
#include "search/dive.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

void bind_dives(nb::module_& module) {
  nb::enum_<ClosenessKind>(module, "ClosenessKind", "How far a condition is from being true, by what it consists of.")
      .value("ALL", ClosenessKind::kAll)
      .value("ANY", ClosenessKind::kAny)
      .value("EQUAL", ClosenessKind::kEqual)
      .value("UNEQUAL", ClosenessKind::kUnequal)
      .value("LESS", ClosenessKind::kLess)
      .value("LESS_EQUAL", ClosenessKind::kLessEqual)
      .value("TRUE", ClosenessKind::kTrue);
  nb::class_<Closeness>(module, "Closeness", "How far states are from a condition; the last node is the whole.")
      .def(nb::init<>())
      .def("add_comparison", &Closeness::add_comparison, "kind"_a, "left"_a, "right"_a = kNoCode)
      .def("add_junction", &Closeness::add_junction, "kind"_a, "parts"_a)
      .def("distance", &Closeness::distance, "graph"_a, "state"_a);

  nb::enum_<DiveOrder>(module, "DiveOrder", "Where a dive goes first.")
      .value("FIRST", DiveOrder::kFirst)
      .value("LAST", DiveOrder::kLast)
      .value("RANDOM", DiveOrder::kRandom)
      .value("DOWNHILL", DiveOrder::kDownhill)
      .value("NEAREST", DiveOrder::kNearest);
  nb::class_<DiveGoal>(module, "DiveGoal", "What dives look for in a graph of their own.")
      .def(
          "__init__",
          [](DiveGoal* self, NetworkGraph& graph, Product& product, Goal goal, CodeId condition,
             const std::vector<bool>& accepting) {
            new (self) DiveGoal(graph, product, goal, condition, {accepting.begin(), accepting.end()});
          },
          "graph"_a, "product"_a, "goal"_a, "condition"_a, "accepting"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>(), "`accepting` has a value for each state of the automaton, or none.")
      .def(
          "shortened_run",
          [](DiveGoal& self, std::uint64_t effort) {
            nb::gil_scoped_release unlock;
            return lasso_tuple(shortened_run(self, effort));
          },
          "effort"_a);
  nb::class_<Dive>(module, "Dive")
      .def(nb::init<DiveGoal&, DiveOrder, std::uint64_t, std::uint32_t, Closeness*>(), "goal"_a, "order"_a, "seed"_a,
           "deepest"_a, "closeness"_a.none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>())
      .def(
          "run",
          [](Dive& self, std::uint64_t work) {
            nb::gil_scoped_release unlock;
            return self.run(work);
          },
          "work"_a)
      .def_prop_ro("work", &Dive::work);
}

}  // namespace fairlead
