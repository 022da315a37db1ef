#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind.hpp"
#include "search/region.hpp"
#include "search/seen_values.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {

namespace {

ActionSet make_actions(Graph& graph, const std::vector<std::string>& labels,
                       const std::vector<std::string>& processes) {
  ActionSet actions;
  for (const std::string& label : labels) actions.labels.push_back(graph.labels().label(label));
  for (const std::string& process : processes) actions.processes.push_back(graph.labels().process(process));
  return actions;
}

// The subjects with these names, as `Demand::only` has them.
std::shared_ptr<const std::vector<std::uint8_t>> subjects(Labels& labels, FairnessLevel level,
                                                          const std::vector<std::string>& names) {
  auto found = std::make_shared<std::vector<std::uint8_t>>();
  for (const std::string& name : names) {
    const std::uint32_t subject = level == FairnessLevel::kEvent ? labels.label(name) : labels.process(name);
    if (subject >= found->size()) found->resize(subject + std::size_t{1}, 0);
    (*found)[subject] = 1;
  }
  return found;
}

// Fairness towards all events or processes.
Demand make_demand(FairnessLevel level, bool strong) {
  return {level, strong ? FairnessStrength::kStrong : FairnessStrength::kWeak};
}

}  // namespace

void bind_fairness(nb::module_& module) {
  nb::class_<Annotations>(module, "Annotations")
      .def(
          "__init__", [](Annotations* self, Graph& graph) { new (self) Annotations(graph.budget()); }, "graph"_a,
          nb::keep_alive<1, 2>())
      .def("number", &Annotations::number, "kind"_a, "label"_a)
      .def("set_ready", &Annotations::set_ready, "state"_a, "numbers"_a)
      .def(
          "find",
          [](Annotations& self, NetworkGraph& graph) {
            nb::gil_scoped_release unlock;
            find_annotations(graph, self);
          },
          "graph"_a)
      .def(
          "ready",
          [](const Annotations& self, StateId state) {
            const auto found = self.ready(state);
            return std::vector<std::uint32_t>(found.begin(), found.end());
          },
          "state"_a)
      .def_prop_ro("all", [](const Annotations& self) {
        std::vector<std::pair<int, LabelId>> found;
        for (const auto& [kind, label] : self.all()) found.emplace_back(kind, label);
        return found;
      });

  nb::class_<Atoms>(module, "Atoms")
      .def(
          "__init__",
          [](Atoms* self, Graph& graph, const Annotations* annotations) { new (self) Atoms(graph, annotations); },
          "graph"_a, "annotations"_a.none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add_own", &Atoms::add_own, "code"_a)
      .def("add_ready", &Atoms::add_ready, "annotation"_a)
      .def(
          "add_enabled",
          [](Atoms& self, const std::vector<std::string>& labels, const std::vector<std::string>& processes) {
            return self.add_enabled(make_actions(self.graph(), labels, processes));
          },
          "labels"_a, "processes"_a)
      .def(
          "add_step",
          [](Atoms& self, const std::vector<std::string>& labels, const std::vector<std::string>& processes) {
            return self.add_step(make_actions(self.graph(), labels, processes));
          },
          "labels"_a, "processes"_a)
      .def(
          "add_left",
          [](Atoms& self, const std::string& process) { return self.add_left(self.graph().labels().process(process)); },
          "process"_a)
      .def(
          "add_entered",
          [](Atoms& self, const std::string& process) {
            return self.add_entered(self.graph().labels().process(process));
          },
          "process"_a)
      .def(
          "seen_values",
          [](Atoms& self) {
            std::vector<SeenValues> found;
            {
              nb::gil_scoped_release unlock;
              found = seen_values(self);
            }
            std::vector<std::pair<bool, bool>> pairs;
            for (const SeenValues& values : found) pairs.emplace_back(values.is_true, values.is_false);
            return pairs;
          },
          "For each atom, whether it is true, and whether it is false, somewhere.");

  nb::enum_<PredicateCode>(module, "PredicateCode", nb::is_arithmetic(),
                           "Operators of predicates in postfix notation, in which numbers from 0 on are atoms.")
      .value("NOT", PredicateCode::kNot)
      .value("AND", PredicateCode::kAnd)
      .value("OR", PredicateCode::kOr)
      .value("TRUE", PredicateCode::kTrue)
      .value("FALSE", PredicateCode::kFalse);
  nb::class_<FairnessCondition>(module, "Condition")
      .def(nb::init<Atoms&>(), "atoms"_a, nb::keep_alive<1, 2>())
      .def(
          "inf",
          [](FairnessCondition& self, const Predicate& predicate) {
            return self.conditions.inf(self.marks.add(predicate));
          },
          "predicate"_a)
      .def(
          "fin",
          [](FairnessCondition& self, const Predicate& predicate) {
            return self.conditions.fin(self.marks.add(predicate));
          },
          "predicate"_a)
      .def(
          "all",
          [](FairnessCondition& self, const std::vector<ConditionId>& parts) { return self.conditions.all(parts); },
          "parts"_a)
      .def(
          "any",
          [](FairnessCondition& self, const std::vector<ConditionId>& parts) { return self.conditions.any(parts); },
          "parts"_a)
      .def("demand", [](FairnessCondition& self, ConditionId condition) { self.root = condition; }, "condition"_a);

  nb::enum_<FairnessLevel>(module, "FairnessLevel", "Whom a notion is fair to.")
      .value("NONE", FairnessLevel::kNone)
      .value("EVENT", FairnessLevel::kEvent)
      .value("PROCESS", FairnessLevel::kProcess);
  nb::class_<Fairness>(module, "Fairness")
      .def(
          "__init__",
          [](Fairness* self, FairnessLevel level, bool strong, bool global, FairnessCondition* condition) {
            std::vector<Demand> demands;
            if (level != FairnessLevel::kNone) demands.push_back(make_demand(level, strong));
            new (self) Fairness{std::move(demands), global, condition};
          },
          "level"_a, "strong"_a, "global_"_a, "condition"_a.none(), nb::keep_alive<1, 5>())
      .def(
          "add_demand",
          [](Fairness& self, Graph& graph, FairnessLevel level, bool strong, const std::vector<std::string>& names) {
            Demand demand = make_demand(level, strong);
            demand.only = subjects(graph.labels(), demand.level, names);
            self.demands.push_back(std::move(demand));
          },
          "graph"_a, "level"_a, "strong"_a, "names"_a);

  nb::class_<FairRegion>(module, "FairRegion")
      .def(
          "__init__",
          [](FairRegion* self, Product& product, const Fairness& fairness) {
            nb::gil_scoped_release unlock;
            new (self) FairRegion(product, fairness, first_nodes(product.graph()));
          },
          "product"_a, "fairness"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("has_start", &FairRegion::has_start)
      .def_prop_ro("has_all", &FairRegion::has_all)
      .def("way_out", [](FairRegion& self) {
        nb::gil_scoped_release unlock;
        return self.way_out();
      });
}

}  // namespace fairlead
