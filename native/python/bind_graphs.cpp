// Graphs, and the memory and threads that they are explored with.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "explore/graph.hpp"
#include "explore/proviso.hpp"
#include "program/tree_builder.hpp"
#include "python/bind.hpp"
#include "python/context.hpp"
#include "python/source.hpp"
#include "steps/partial_order.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

void bind_context(nb::module_& module) {
  nb::class_<Context>(module, "Context")
      .def(nb::init<std::uint64_t, unsigned, std::size_t>(), "memory_limit"_a, "threads"_a = 1,
           "least_work"_a = Workers::kLeastWork)
      .def(
          "set_memory_limit", [](Context& self, std::uint64_t limit) { self.budget.set_limit(limit); }, "limit"_a)
      .def(
          "set_ticker",
          [](Context& self, nb::object callback) {
            self.ticker.set_callback([callback = std::move(callback)] {
              nb::gil_scoped_acquire lock;
              callback();
            });
          },
          "callback"_a, nb::sig("def set_ticker(self, callback: collections.abc.Callable[[], None]) -> None"))
      .def("clear_ticker", [](Context& self) { self.ticker.set_callback({}); })
      .def("use_disk", &Context::use_disk, "file"_a, "limit"_a,
           "Takes over a file descriptor; to be called before there are graphs.")
      .def_prop_ro("disk_peak", [](const Context& self) { return self.disk ? self.disk->peak() : 0; })
      .def_prop_ro("memory_used", [](const Context& self) { return self.budget.used(); })
      .def_prop_ro("memory_peak", [](const Context& self) { return self.budget.peak(); });

  module.def(
      "fail_allocation", [](std::uint64_t number, bool lasting) { fault_injection.arm(number, lasting); }, "number"_a,
      "lasting"_a = false,
      "For tests: the allocation with this number fails, and all after it if that is lasting; 0: none.");
  module.def(
      "allocation_count", [] { return fault_injection.count(); },
      "For tests: the allocations since `fail_allocation` was called.");

  module.attr("DISK_IS_OFFERED") = disk_is_offered();
  module.attr("LEAST_WORK") = Workers::kLeastWork;
}

void bind_any_graph(nb::module_& module) {
  nb::class_<GraphBytes>(module, "GraphBytes", "What a graph takes, in bytes.")
      .def_ro("records", &GraphBytes::records)
      .def_ro("table", &GraphBytes::table)
      .def_ro("parents", &GraphBytes::parents)
      .def_ro("edges", &GraphBytes::edges);

  nb::class_<Graph>(module, "Graph")
      .def_prop_ro("state_count", [](const Graph& self) { return self.state_count(); })
      .def_prop_ro("transition_count", &Graph::transition_count)
      .def_prop_ro("expanded_count", &Graph::expanded_count)
      .def_prop_ro("level_count", &Graph::level_count)
      .def_prop_ro("bytes", &Graph::bytes)
      .def_prop_ro("initial", [](const Graph& self) { return self.initial(); })
      .def(
          "label", [](Graph& self, const std::string& text) { return self.labels().label(text); }, "text"_a)
      .def(
          "action",
          [](Graph& self, ActionId action) {
            std::vector<std::string> processes;
            for (const ProcessId process : self.labels().processes_of(action)) {
              processes.push_back(self.labels().process_name(process));
            }
            return std::make_pair(self.labels().label_text(self.labels().label_of(action)), processes);
          },
          "action"_a)
      .def(
          "label_text", [](Graph& self, LabelId label) { return self.labels().label_text(label); }, "label"_a)
      .def(
          "process_name", [](Graph& self, ProcessId process) { return self.labels().process_name(process); },
          "process"_a)
      .def(
          "label_of", [](Graph& self, ActionId action) { return self.labels().label_of(action); }, "action"_a)
      .def("used_actions",
           [](Graph& self) {
             std::vector<std::uint8_t> used(self.labels().action_count(), 0);
             for_each_edge(self, [&](StateId, ActionId action, StateId) { used[action] = 1; });
             std::vector<ActionId> actions;
             for (ActionId action = 0; action < used.size(); ++action) {
               if (used[action] != 0) actions.push_back(action);
             }
             return actions;
           })
      .def_prop_ro("action_count", [](Graph& self) { return self.labels().action_count(); })
      .def(
          "edges",
          [](Graph& self, StateId state) {
            EdgeBuffer buffer;
            const EdgeSpan edges = self.edges(state, buffer);
            std::vector<std::pair<ActionId, StateId>> result;
            for (std::uint32_t i = 0; i < edges.count; ++i) result.emplace_back(edges.actions[i], edges.targets[i]);
            return result;
          },
          "state"_a);

  nb::class_<ExplicitGraph, Graph>(module, "ExplicitGraph")
      .def(
          "__init__",
          [](ExplicitGraph* self, Context& context, std::size_t states) {
            new (self) ExplicitGraph(context.budget, context.ticker, context.workers, states);
          },
          "context"_a, "states"_a, nb::keep_alive<1, 2>())
      .def("add_initial", &ExplicitGraph::add_initial, "state"_a)
      .def(
          "add_proposition",
          [](ExplicitGraph& self, const std::vector<StateId>& states) { return self.add_proposition(states); },
          "states"_a)
      .def(
          "add_action",
          [](ExplicitGraph& self, const std::string& label, const std::vector<std::string>& processes) {
            std::vector<ProcessId> ids;
            for (const std::string& name : processes) ids.push_back(self.labels().process(name));
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            return self.labels().action(self.labels().label(label), ids);
          },
          "label"_a, "processes"_a)
      .def(
          "add_state_edges",
          [](ExplicitGraph& self, StateId state, const std::vector<StateId>& targets,
             const std::vector<ActionId>& actions) { self.add_state_edges(state, targets, actions); },
          "state"_a, "targets"_a, "actions"_a);
}

Unpacked unfolded(Network& network, const std::vector<std::int32_t>& values, TreeId tree) {
  Unpacked state{0, values, {}};
  TreeBuilder(network).unfold(tree, state);
  return state;
}

void list_nodes(const TreeBuilder& builder, TreeBuilder::Ref tree, std::vector<std::uint32_t>& nodes) {
  const std::size_t children = builder.child_count(tree);
  nodes.insert(nodes.end(), {builder.operator_of(tree), static_cast<std::uint32_t>(children),
                             builder.has_local(tree) ? builder.local(tree) : kNone});
  for (std::size_t i = 0; i < children; ++i) list_nodes(builder, builder.child(tree, i), nodes);
}

void bind_network_graph(nb::module_& module) {
  nb::enum_<Goal>(module, "Goal", "What exploration looks for.")
      .value("NONE", Goal::kNone)
      .value("DEADLOCK", Goal::kDeadlock)
      .value("STOP", Goal::kStop)
      .value("CONDITION", Goal::kCondition)
      .value("UNSAFE", Goal::kUnsafe);
  nb::enum_<Proviso>(module, "Proviso", "Which steps a reduction must not put off forever.")
      .value("NONE", Proviso::kNone)
      .value("REACHED", Proviso::kReached)
      .value("CYCLES", Proviso::kCycles);

  nb::class_<NetworkGraph, Graph>(module, "NetworkGraph")
      .def(
          "__init__",
          [](NetworkGraph* self, PythonNetwork& network, Context& context, bool keep_edges) {
            new (self) NetworkGraph(network.network, context.budget, context.ticker, context.workers, keep_edges);
          },
          "network"_a, "context"_a, "keep_edges"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "add_initial",
          [](NetworkGraph& self, const std::vector<std::int32_t>& values, TreeId tree) {
            self.add_initial(unfolded(self.network(), values, tree));
          },
          "values"_a, "tree"_a)
      .def(
          "reduce",
          [](NetworkGraph& self, const std::vector<CodeId>& conditions, const std::vector<std::string>& labels,
             const std::vector<std::string>& processes, bool annotations, bool first_step, Proviso proviso) {
            Sight sight{conditions, {}, {}, annotations, first_step};
            for (const std::string& text : labels) sight.labels.push_back(self.labels().label(text));
            for (const std::string& name : processes) sight.processes.push_back(self.labels().process(name));
            return self.reduce(std::move(sight), proviso);
          },
          "conditions"_a, "labels"_a, "processes"_a, "annotations"_a, "first_step"_a, "proviso"_a)
      .def_prop_ro("reduced_count", &NetworkGraph::reduced_count)
      .def(
          "explore",
          [](NetworkGraph& self, Goal goal, CodeId condition, std::size_t state_limit) {
            nb::gil_scoped_release unlock;
            return self.explore(goal, condition, state_limit);
          },
          "goal"_a, "condition"_a, "state_limit"_a)
      .def(
          "find",
          [](NetworkGraph& self, Goal goal, CodeId condition) {
            nb::gil_scoped_release unlock;
            return self.find(goal, condition);
          },
          "goal"_a, "condition"_a)
      .def(
          "optimum",
          [](NetworkGraph& self, CodeId condition, CodeId objective, bool maximise) {
            nb::gil_scoped_release unlock;
            return self.optimum(condition, objective, maximise);
          },
          "condition"_a, "objective"_a, "maximise"_a)
      .def_prop_ro("keeps_edges", &NetworkGraph::keeps_edges)
      .def("keep_at_most", &NetworkGraph::keep_at_most, "transitions"_a)
      .def_prop_ro("can_save", &NetworkGraph::can_save)
      .def(
          "save",
          [](NetworkGraph& self, int file) {
            nb::gil_scoped_release unlock;
            self.save(file);
          },
          "file"_a)
      .def(
          "load",
          [](NetworkGraph& self, int file, const StateRules& rules) {
            nb::gil_scoped_release unlock;
            self.load(file, rules);
          },
          "file"_a, "rules"_a, "Raises ValueError if the file has anything that cannot be so.")
      .def_prop_ro("complete", &NetworkGraph::complete)
      .def_prop_ro("current", &NetworkGraph::current)
      .def_prop_ro("record_bytes", &NetworkGraph::record_bytes)
      .def("path_to", &NetworkGraph::path_to, "state"_a)
      .def("has_terminated", &NetworkGraph::has_terminated, "state"_a)
      .def_prop_ro("error_count", &NetworkGraph::error_count)
      .def(
          "exchange",
          [](NetworkGraph& self, const std::vector<std::int32_t>& values, TreeId tree) {
            return self.exchange(unfolded(self.network(), values, tree));
          },
          "values"_a, "tree"_a)
      .def(
          "unpack",
          [](NetworkGraph& self, StateId state) {
            Unpacked unpacked = self.unpack(state);
            TreeBuilder builder(self.network());
            std::vector<std::uint32_t> nodes;
            list_nodes(builder, builder.load(self.network().shape(unpacked.shape), unpacked.locals), nodes);
            return std::make_pair(unpacked.values, nodes);
          },
          "state"_a, "The values of a configuration, and the nodes of its tree: three numbers each.");
}

}  // namespace

void bind_graphs(nb::module_& module) {
  bind_context(module);
  bind_state_rules(module);
  bind_any_graph(module);
  bind_network_graph(module);
}

}  // namespace fairlead
