// The Python face of the engine. Long work runs without the interpreter lock; Python is called back for
// positions and shapes never seen before, and now and then by the ticker.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "explore/checkpoint.hpp"
#include "explore/graph.hpp"
#include "explore/proviso.hpp"
#include "memory/disk.hpp"
#include "python/bind_bisimulation.hpp"
#include "python/bind_branching.hpp"
#include "python/bind_fairness.hpp"
#include "python/bind_refine.hpp"
#include "python/bind_searches.hpp"
#include "python/bind_terminal.hpp"
#include "steps/partial_order.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

// The memory budget, the disk and the ticker of one check.
struct Context {
  Context(std::uint64_t memory_limit, unsigned threads, std::size_t least_work)
      : budget(memory_limit), workers(threads, least_work) {}
  void use_disk(int file, std::uint64_t limit) {
    disk = std::make_unique<Disk>(file, limit, budget);
    budget.set_overflow(disk.get());
    ticker.set_chore([this] { disk->trim(); });
  }
  Budget budget;
  std::unique_ptr<Disk> disk;
  Ticker ticker;
  Workers workers;
};

class PythonSource final : public Source {
 public:
  explicit PythonSource(nb::object target) : target_(std::move(target)) {}

  void position(std::uint32_t number) override {
    nb::gil_scoped_acquire lock;
    target_.attr("position")(number);
  }

  Rewrite rewrite(ShapeId shape, std::span<const LocalId> locals, MoveKind kind,
                  std::span<const MovePart> parts, std::span<const std::uint32_t> undecided,
                  std::span<const std::int32_t> values, bool& cacheable) override {
    nb::gil_scoped_acquire lock;
    std::vector<std::pair<std::uint32_t, LocalId>> moved;
    for (const MovePart& part : parts) moved.emplace_back(part.slot, part.target);
    const nb::object answer =
        target_.attr("rewrite")(shape, std::vector<LocalId>(locals.begin(), locals.end()),
                                static_cast<int>(kind), moved,
                                std::vector<std::uint32_t>(undecided.begin(), undecided.end()),
                                std::vector<std::int32_t>(values.begin(), values.end()));
    const auto [next, slots, fixed] =
        nb::cast<std::tuple<ShapeId, std::vector<std::pair<bool, std::uint32_t>>, bool>>(answer);
    cacheable = fixed;
    Rewrite result{next, {}};
    for (const auto& [is_slot, number] : slots) result.slots.push_back({is_slot, number});
    return result;
  }

  MemberKind member(GroupId group, LocalId local) override {
    nb::gil_scoped_acquire lock;
    const auto [process, tallies] =
        nb::cast<std::pair<ProcessId, std::vector<std::pair<std::int32_t, std::int32_t>>>>(
            target_.attr("member")(group, local));
    MemberKind kind{process, {}};
    for (const auto& [variable, weight] : tallies) kind.tallies.push_back(Tally{variable, weight});
    return kind;
  }

  std::vector<LocalId> components(GroupId group, LocalId composite) override {
    nb::gil_scoped_acquire lock;
    return nb::cast<std::vector<LocalId>>(target_.attr("components")(group, composite));
  }

  CallAnswer call(std::int32_t function, std::span<const std::int32_t> arguments) override {
    nb::gil_scoped_acquire lock;
    const nb::object answer =
        target_.attr("call")(function, std::vector<std::int32_t>(arguments.begin(), arguments.end()));
    const auto [failed, word, bytes] = nb::cast<std::tuple<bool, std::int32_t, std::uint64_t>>(answer);
    return CallAnswer{failed, word, bytes};
  }

  std::string text(std::int32_t value) override {
    nb::gil_scoped_acquire lock;
    return nb::cast<std::string>(target_.attr("text")(value));
  }

 private:
  nb::object target_;
};

// A network with the Python object that answers its questions.
struct PythonNetwork {
  explicit PythonNetwork(std::size_t variables) : network(variables) {}
  Network network;
  std::unique_ptr<PythonSource> source;
};

using HandshakeTuple = std::tuple<std::uint32_t, CodeId, std::vector<CodeId>, std::uint32_t, CodeId>;
using EdgeTuple = std::tuple<int, bool, std::uint32_t, CodeId, CodeId, std::uint32_t, std::vector<CodeId>,
                             std::vector<CodeId>, bool, bool, std::optional<HandshakeTuple>>;
using NodeTuple = std::tuple<int, std::uint32_t, ProcessId, LabelId, bool, std::vector<std::uint32_t>,
                             std::vector<std::pair<LabelId, std::vector<std::uint32_t>>>,
                             std::optional<std::vector<std::uint32_t>>>;

Position make_position(bool composite, CodeId condition, const std::vector<EdgeTuple>& edges) {
  Position position;
  position.composite = composite;
  position.condition = condition;
  for (const auto& [kind, synchronises, name, guard, update, target, label_arguments, target_arguments,
                    label_is_fixed, target_is_fixed, handshake] : edges) {
    position.edges.push_back(Edge{static_cast<MoveKind>(kind), synchronises, name, guard, update, target,
                                  label_arguments, target_arguments, label_is_fixed, target_is_fixed, {}});
    if (handshake) {
      const auto& [channel, index, values, fields, accepts] = *handshake;
      position.edges.back().handshake = Handshake{channel, index, values, fields, accepts};
    }
  }
  return position;
}

Shape make_shape(const std::vector<NodeTuple>& nodes, const std::vector<ProcessId>& slots) {
  Shape shape;
  for (const auto& [kind, slot, process, ending, synchronises, children, events, ends] : nodes) {
    ShapeNode node{static_cast<NodeKind>(kind), slot, process, ending, synchronises, children, {}, ends};
    for (const auto& [label, components] : events) node.events.emplace(label, components);
    shape.nodes.push_back(std::move(node));
  }
  shape.slot_process = slots;
  return shape;
}

PyObject* limit_error = nullptr;
PyObject* fault_error = nullptr;

void raise_with(PyObject* type, const nb::tuple& arguments) { PyErr_SetObject(type, arguments.ptr()); }

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const LimitReached& limit) {
    raise_with(limit_error, nb::make_tuple(static_cast<int>(limit.what)));
  } catch (const ModelFault& fault) {
    raise_with(fault_error, nb::make_tuple(fault.site, fault.value));
  } catch (const BadCheckpoint&) {
    PyErr_SetString(PyExc_ValueError, "not what was written");
  } catch (const FileTrouble& trouble) {
    errno = trouble.error;
    PyErr_SetFromErrno(PyExc_OSError);
  } catch (const std::bad_alloc&) {
    raise_with(limit_error, nb::make_tuple(static_cast<int>(LimitReached::What::kMemory)));
  }
}

void bind_errors(nb::module_& module) {
  limit_error = PyErr_NewException("fairlead.engine._native.EngineLimit", PyExc_Exception, nullptr);
  fault_error = PyErr_NewException("fairlead.engine._native.EngineFault", PyExc_Exception, nullptr);
  module.attr("EngineLimit") = nb::handle(limit_error);
  module.attr("EngineFault") = nb::handle(fault_error);
  nb::register_exception_translator(translate);
}

// The numbers of a kind that can be exchanged, block by block.
using KindTuple = std::vector<std::vector<std::int32_t>>;
using FamilyTuple = std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::uint32_t>;

std::shared_ptr<const Symmetry> symmetry_of(
    ShapeId shape, const std::vector<KindTuple>& kinds, const std::vector<FamilyTuple>& variables,
    const std::vector<FamilyTuple>& leaves,
    const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>& parameters) {
  auto symmetry = std::make_shared<Symmetry>();
  symmetry->shape = shape;
  for (const KindTuple& blocks : kinds) symmetry->add_kind(blocks);
  for (const auto& [blocks, places, holds] : variables) symmetry->variables.push_back({blocks, places, holds});
  for (const auto& [blocks, places, holds] : leaves) symmetry->leaves.push_back({blocks, places, holds});
  for (const auto& [position, own] : parameters) {
    if (symmetry->parameters.size() <= position) symmetry->parameters.resize(position + std::size_t{1});
    symmetry->parameters[position] = own;
  }
  return symmetry;
}

void bind_network(nb::module_& module) {
  nb::class_<Context>(module, "Context")
      .def(nb::init<std::uint64_t, unsigned, std::size_t>(), "memory_limit"_a, "threads"_a = 1,
           "least_work"_a = Workers::kLeastWork)
      .def("set_memory_limit", [](Context& self, std::uint64_t limit) { self.budget.set_limit(limit); })
      .def("set_ticker",
           [](Context& self, nb::object callback) {
             self.ticker.set_callback([callback = std::move(callback)] {
               nb::gil_scoped_acquire lock;
               callback();
             });
           })
      .def("clear_ticker", [](Context& self) { self.ticker.set_callback({}); })
      // takes over a file descriptor; to be called before there are graphs
      .def("use_disk", &Context::use_disk, "file"_a, "limit"_a)
      .def_prop_ro("disk_peak", [](const Context& self) { return self.disk ? self.disk->peak() : 0; })
      .def_prop_ro("memory_used", [](const Context& self) { return self.budget.used(); })
      .def_prop_ro("memory_peak", [](const Context& self) { return self.budget.peak(); });

  module.attr("DISK_IS_OFFERED") = disk_is_offered();

  nb::class_<PythonNetwork>(module, "Network")
      .def(nb::init<std::size_t>(), "variables"_a)
      .def("set_source",
           [](PythonNetwork& self, nb::object source) {
             self.source = std::make_unique<PythonSource>(std::move(source));
             self.network.set_source(self.source.get());
           })
      .def("add_code", [](PythonNetwork& self,
                          const std::vector<std::int32_t>& words) { return self.network.add_code(words); })
      .def("reserve_locals",
           [](PythonNetwork& self, std::size_t count) { self.network.set_local_count(count); })
      .def("define_position",
           [](PythonNetwork& self, std::uint32_t number, bool composite, CodeId condition,
              const std::vector<EdgeTuple>& edges) {
             self.network.define_position(number, make_position(composite, condition, edges));
           })
      .def("annotate_edge",
           [](PythonNetwork& self, std::uint32_t number, std::size_t edge, std::uint8_t kind) {
             self.network.annotate_edge(number, edge, kind);
           })
      .def("add_shape",
           [](PythonNetwork& self, const std::vector<NodeTuple>& nodes, const std::vector<ProcessId>& slots) {
             return self.network.add_shape(make_shape(nodes, slots));
           })
      .def("intern_local",
           [](PythonNetwork& self, std::uint32_t position, const std::vector<std::int32_t>& parameters) {
             return self.network.intern_local(position, parameters);
           })
      .def("add_group", [](PythonNetwork& self, std::int32_t cutoff) { return self.network.add_group(cutoff); },
           "cutoff"_a)
      .def("intern_counted",
           [](PythonNetwork& self, GroupId group, const std::vector<std::pair<LocalId, std::int32_t>>& members) {
             std::vector<Member> sorted;
             for (const auto& [local, count] : members) sorted.push_back(Member{local, count});
             std::sort(sorted.begin(), sorted.end(),
                       [](const Member& a, const Member& b) { return a.local < b.local; });
             return self.network.intern_counted(group, sorted);
           })
      .def("set_symmetry",
           [](PythonNetwork& self, ShapeId shape, const std::vector<KindTuple>& kinds,
              const std::vector<FamilyTuple>& variables, const std::vector<FamilyTuple>& leaves,
              const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>& parameters) {
             self.network.set_symmetry(symmetry_of(shape, kinds, variables, leaves, parameters));
           })
      .def("local",
           [](PythonNetwork& self, LocalId id) {
             const auto parameters = self.network.parameters(id);
             return std::make_pair(self.network.position_of(id),
                                   std::vector<std::int32_t>(parameters.begin(), parameters.end()));
           })
      .def_prop_ro("local_count", [](PythonNetwork& self) { return self.network.local_count(); })
      .def_prop_ro("labels", [](PythonNetwork& self) { return self.network.labels.label_texts(); })
      .def_prop_ro("processes", [](PythonNetwork& self) { return self.network.labels.process_names(); })
      .def_prop_ro("action_count", [](PythonNetwork& self) { return self.network.labels.action_count(); })
      // a label and processes, by their numbers
      .def("action_parts",
           [](PythonNetwork& self, ActionId action) {
             const auto processes = self.network.labels.processes_of(action);
             return std::make_pair(self.network.labels.label_of(action),
                                   std::vector<ProcessId>(processes.begin(), processes.end()));
           })
      .def("action", [](PythonNetwork& self, LabelId label,
                        const std::vector<ProcessId>& processes) { return self.network.labels.action(label, processes); })
      .def("label", [](PythonNetwork& self, const std::string& text) { return self.network.labels.label(text); })
      .def("process",
           [](PythonNetwork& self, const std::string& name) { return self.network.labels.process(name); })
      .def("event_name",
           [](PythonNetwork& self, const std::vector<std::string>& pieces, const std::string& types) {
             return self.network.labels.event_name(pieces, types);
           })
      .def("construct",
           [](PythonNetwork& self, const std::string& text) { return self.network.labels.construct(text); });
}

void bind_graphs(nb::module_& module) {
  nb::class_<Graph>(module, "Graph")
      .def_prop_ro("state_count", [](const Graph& self) { return self.state_count(); })
      .def_prop_ro("transition_count", &Graph::transition_count)
      .def_prop_ro("expanded_count", &Graph::expanded_count)
      .def_prop_ro("level_count", &Graph::level_count)
      // of records, hash table, parents and transitions
      .def_prop_ro("bytes",
                   [](const Graph& self) {
                     const GraphBytes bytes = self.bytes();
                     return std::make_tuple(bytes.records, bytes.table, bytes.parents, bytes.edges);
                   })
      .def_prop_ro("initial", [](const Graph& self) { return self.initial(); })
      .def("label", [](Graph& self, const std::string& text) { return self.labels().label(text); })
      .def("action",
           [](Graph& self, ActionId action) {
             std::vector<std::string> processes;
             for (const ProcessId process : self.labels().processes_of(action)) {
               processes.push_back(self.labels().process_name(process));
             }
             return std::make_pair(self.labels().label_text(self.labels().label_of(action)), processes);
           })
      .def("label_text", [](Graph& self, LabelId label) { return self.labels().label_text(label); })
      .def("process_name", [](Graph& self, ProcessId process) { return self.labels().process_name(process); })
      .def("label_of", [](Graph& self, ActionId action) { return self.labels().label_of(action); })
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
      .def("edges", [](Graph& self, StateId state) {
        EdgeBuffer buffer;
        const EdgeSpan edges = self.edges(state, buffer);
        std::vector<std::pair<ActionId, StateId>> result;
        for (std::uint32_t i = 0; i < edges.count; ++i) result.emplace_back(edges.actions[i], edges.targets[i]);
        return result;
      });

  nb::class_<ExplicitGraph, Graph>(module, "ExplicitGraph")
      .def("__init__",
           [](ExplicitGraph* self, Context& context, std::size_t states) {
             new (self) ExplicitGraph(context.budget, context.ticker, context.workers, states);
           },
           nb::keep_alive<1, 2>())
      .def("add_initial", &ExplicitGraph::add_initial)
      .def("add_proposition",
           [](ExplicitGraph& self, const std::vector<StateId>& states) { return self.add_proposition(states); })
      .def("add_action",
           [](ExplicitGraph& self, const std::string& label, const std::vector<std::string>& processes) {
             std::vector<ProcessId> ids;
             for (const std::string& name : processes) ids.push_back(self.labels().process(name));
             std::sort(ids.begin(), ids.end());
             ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
             return self.labels().action(self.labels().label(label), ids);
           })
      .def("add_state_edges", [](ExplicitGraph& self, StateId state, const std::vector<StateId>& targets,
                                 const std::vector<ActionId>& actions) {
        self.add_state_edges(state, targets, actions);
      });

  nb::class_<NetworkGraph, Graph>(module, "NetworkGraph")
      .def("__init__",
           [](NetworkGraph* self, PythonNetwork& network, Context& context, bool keep_edges) {
             new (self) NetworkGraph(network.network, context.budget, context.ticker, context.workers, keep_edges);
           },
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add_initial",
           [](NetworkGraph& self, ShapeId shape, const std::vector<std::int32_t>& values,
              const std::vector<LocalId>& locals) { self.add_initial(Unpacked{shape, values, locals}); })
      .def("reduce",
           [](NetworkGraph& self, const std::vector<CodeId>& conditions, const std::vector<std::string>& labels,
              const std::vector<std::string>& processes, bool annotations, bool first_step, int proviso) {
             Sight sight{conditions, {}, {}, annotations, first_step};
             for (const std::string& text : labels) sight.labels.push_back(self.labels().label(text));
             for (const std::string& name : processes) sight.processes.push_back(self.labels().process(name));
             return self.reduce(std::move(sight), static_cast<Proviso>(proviso));
           },
           "conditions"_a, "labels"_a, "processes"_a, "annotations"_a, "first_step"_a,
           "proviso"_a)
      .def_prop_ro("reduced_count", &NetworkGraph::reduced_count)
      .def("explore",
           [](NetworkGraph& self, int goal, CodeId condition, std::size_t state_limit) {
             nb::gil_scoped_release unlock;
             return self.explore(static_cast<Goal>(goal), condition, state_limit);
           })
      .def("find",
           [](NetworkGraph& self, int goal, CodeId condition) {
             nb::gil_scoped_release unlock;
             return self.find(static_cast<Goal>(goal), condition);
           })
      .def("optimum",
           [](NetworkGraph& self, CodeId condition, CodeId objective, bool maximise) {
             nb::gil_scoped_release unlock;
             return self.optimum(condition, objective, maximise);
           })
      .def_prop_ro("keeps_edges", &NetworkGraph::keeps_edges)
      .def("keep_at_most", &NetworkGraph::keep_at_most, "transitions"_a)
      .def_prop_ro("can_save", &NetworkGraph::can_save)
      .def("save",
           [](NetworkGraph& self, int file) {
             nb::gil_scoped_release unlock;
             self.save(file);
           })
      .def("load",
           [](NetworkGraph& self, int file) {
             nb::gil_scoped_release unlock;
             self.load(file);
           })
      .def_prop_ro("complete", &NetworkGraph::complete)
      .def_prop_ro("current", &NetworkGraph::current)
      .def_prop_ro("record_bytes", &NetworkGraph::record_bytes)
      .def("path_to", &NetworkGraph::path_to)
      .def("has_terminated", &NetworkGraph::has_terminated)
      .def_prop_ro("error_count", &NetworkGraph::error_count)
      .def("exchange", &NetworkGraph::exchange)
      .def("unpack", [](NetworkGraph& self, StateId state) {
        Unpacked unpacked = self.unpack(state);
        return std::make_tuple(unpacked.shape, unpacked.values, unpacked.locals);
      });
}

}  // namespace
}  // namespace fairlead

NB_MODULE(_native, module) {
  module.doc() = "The engine of fairlead: exploration and search, in C++.";
  fairlead::bind_errors(module);
  fairlead::bind_network(module);
  fairlead::bind_graphs(module);
  fairlead::bind_refinement(module);
  fairlead::bind_fairness(module);
  fairlead::bind_searches(module);
  fairlead::bind_terminal(module);
  fairlead::bind_bisimulation(module);
  fairlead::bind_branching(module);
}
