// Sets of states as decision diagrams.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind.hpp"
#include "python/configurations.hpp"
#include "python/context.hpp"
#include "python/source.hpp"
#include "symbolic/space.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

// A space with the network that it is of.
struct PythonSpace {
  PythonSpace(PythonNetwork& network, Context& context) : space(network.network, context.budget, context.ticker) {
    network.network.set_budget(&context.budget);
    network.network.set_ticker(&context.ticker);
  }
  SymbolicSpace space;
};

// What a call gives, kept while Python has it. Work runs without the interpreter lock.
template <typename Work>
KeptSet made(PythonSpace& self, Work&& work) {
  nb::gil_scoped_release unlock;
  Diagrams& diagrams = self.space.diagrams();
  diagrams.collect_if_due();
  return {diagrams, work(diagrams)};
}

void bind_sets(nb::class_<PythonSpace>& space) {
  space
      .def(
          "initial", [](PythonSpace& self) { return made(self, [&](Diagrams&) { return self.space.initial(); }); },
          nb::keep_alive<0, 1>())
      .def(
          "reachable", [](PythonSpace& self) { return made(self, [&](Diagrams&) { return self.space.reachable(); }); },
          nb::keep_alive<0, 1>())
      .def(
          "nothing", [](PythonSpace& self) { return made(self, [](Diagrams&) { return kEmptySet; }); },
          nb::keep_alive<0, 1>())
      .def(
          "single",
          [](PythonSpace& self, const std::vector<std::int32_t>& values, TreeId tree) {
            const Unpacked state = unfolded(self.space.groups().network(), values, tree);
            return made(self,
                        [&](Diagrams& diagrams) { return diagrams.from_vector(self.space.groups().vector_of(state)); });
          },
          "values"_a, "tree"_a, nb::keep_alive<0, 1>())
      .def(
          "unite",
          [](PythonSpace& self, const KeptSet& one, const KeptSet& other) {
            return made(self, [&](Diagrams& diagrams) { return diagrams.unite(one.get(), other.get()); });
          },
          "one"_a, "other"_a, nb::keep_alive<0, 1>())
      .def(
          "intersect",
          [](PythonSpace& self, const KeptSet& one, const KeptSet& other) {
            return made(self, [&](Diagrams& diagrams) { return diagrams.intersect(one.get(), other.get()); });
          },
          "one"_a, "other"_a, nb::keep_alive<0, 1>())
      .def(
          "subtract",
          [](PythonSpace& self, const KeptSet& one, const KeptSet& other) {
            return made(self, [&](Diagrams& diagrams) { return diagrams.subtract(one.get(), other.get()); });
          },
          "one"_a, "other"_a, nb::keep_alive<0, 1>())
      .def(
          "post",
          [](PythonSpace& self, const KeptSet& set, std::uint32_t relation) {
            return made(self, [&](Diagrams&) { return self.space.post(set.get(), relation); });
          },
          "set"_a, "relation"_a, nb::keep_alive<0, 1>())
      .def(
          "pre",
          [](PythonSpace& self, const KeptSet& set, std::uint32_t relation) {
            return made(self, [&](Diagrams&) { return self.space.pre(set.get(), relation); });
          },
          "set"_a, "relation"_a, nb::keep_alive<0, 1>())
      .def(
          "backward",
          [](PythonSpace& self, const KeptSet& goal, const KeptSet& within, const KeptSet& through,
             std::uint32_t relation) {
            return made(self, [&](Diagrams&) {
              return self.space.backward(goal.get(), within.get(), through.get(), relation);
            });
          },
          "goal"_a, "within"_a, "through"_a, "relation"_a, nb::keep_alive<0, 1>())
      .def(
          "forward",
          [](PythonSpace& self, const KeptSet& start, const KeptSet& within, std::uint32_t relation) {
            return made(self, [&](Diagrams&) { return self.space.forward(start.get(), within.get(), relation); });
          },
          "start"_a, "within"_a, "relation"_a, nb::keep_alive<0, 1>())
      .def(
          "chain",
          [](PythonSpace& self, const KeptSet& start, const KeptSet& goal, std::uint32_t relation) {
            nb::gil_scoped_release unlock;
            return self.space.chain(start.get(), goal.get(), relation);
          },
          "start"_a, "goal"_a, "relation"_a, "The sets must not be used when the space is gone.")
      .def(
          "ended",
          [](PythonSpace& self, const KeptSet& set) {
            return made(self, [&](Diagrams&) { return self.space.ended(set.get()); });
          },
          "set"_a, nb::keep_alive<0, 1>());
}

Natural counted(PythonSpace& self, const KeptSet& set) {
  nb::gil_scoped_release unlock;
  return self.space.diagrams().count(set.get());
}

}  // namespace

void bind_symbolic(nb::module_& module) {
  nb::class_<KeptSet>(module, "StateSet", "A set of states as a decision diagram.")
      .def_prop_ro("is_empty", [](const KeptSet& self) { return self.get() == kEmptySet; })
      .def(
          "equals", [](const KeptSet& self, const KeptSet& other) { return self.get() == other.get(); }, "other"_a,
          "Of sets of one space.");

  nb::class_<PythonSpace> space(module, "SymbolicSpace", "The reachable states of a network as a decision diagram.");
  space
      .def(nb::init<PythonNetwork&, Context&>(), "network"_a, "context"_a, nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def(
          "begin",
          [](PythonSpace& self, const std::vector<std::int32_t>& values, TreeId tree, std::uint64_t seed) {
            return self.space.begin(unfolded(self.space.groups().network(), values, tree), seed);
          },
          "values"_a, "tree"_a, "seed"_a = 0, "Why the system cannot be encoded; None if it can be as far as is known.")
      .def(
          "explore",
          [](PythonSpace& self) {
            nb::gil_scoped_release unlock;
            return self.space.explore();
          },
          "Finds the reachable states; why the system cannot be encoded, if so.")
      .def("used_actions",
           [](PythonSpace& self) {
             nb::gil_scoped_release unlock;
             return self.space.used_actions();
           })
      .def(
          "relation",
          [](PythonSpace& self, const std::vector<ActionId>& actions) {
            nb::gil_scoped_release unlock;
            return self.space.relation(actions);
          },
          "actions"_a)
      .def(
          "holding",
          [](PythonSpace& self, const KeptSet& set, CodeId condition) -> std::optional<KeptSet> {
            nb::gil_scoped_release unlock;
            const std::optional<Diagram> found = self.space.holding(set.get(), condition);
            if (!found) return std::nullopt;
            return KeptSet(self.space.diagrams(), *found);
          },
          "set"_a, "condition"_a, nb::keep_alive<0, 1>(),
          "None if there are too many combinations of the variables that the condition reads.")
      .def(
          "count",
          [](PythonSpace& self, const KeptSet& set) {
            const Natural words = counted(self, set);
            return nb::bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t));
          },
          "set"_a, "How many states it has: 64-bit words in the order of the machine, the least significant first.")
      .def(
          "contains",
          [](PythonSpace& self, const KeptSet& set, const std::vector<std::int32_t>& values, TreeId tree) {
            const Groups& groups = self.space.groups();
            const Unpacked state = unfolded(self.space.groups().network(), values, tree);
            return groups.has_shape(state) && self.space.diagrams().contains(set.get(), groups.vector_of(state));
          },
          "set"_a, "values"_a, "tree"_a)
      .def(
          "first",
          [](PythonSpace& self, const KeptSet& set) {
            const Unpacked state = self.space.groups().state_of(self.space.diagrams().first(set.get()));
            return std::make_pair(state.values, tree_nodes(self.space.groups().network(), state));
          },
          "set"_a, "A state of a set that is not empty.")
      .def(
          "action",
          [](PythonSpace& self, ActionId action) {
            const Labels& labels = self.space.groups().network().labels;
            std::vector<std::string> processes;
            for (const ProcessId process : labels.processes_of(action)) {
              processes.push_back(labels.process_name(process));
            }
            return std::make_pair(labels.label_text(labels.label_of(action)), processes);
          },
          "action"_a)
      .def_prop_ro("node_count", [](PythonSpace& self) { return self.space.diagrams().node_count(); })
      .def_prop_ro("most_nodes", [](PythonSpace& self) { return self.space.diagrams().most_nodes(); })
      .def_prop_ro("group_count", [](PythonSpace& self) { return self.space.groups().groups().size(); })
      .def_prop_ro("level_count", [](PythonSpace& self) { return self.space.groups().item_count(); });
  bind_sets(space);
}

}  // namespace fairlead
