// Networks: Python fills their tables, piece by piece, as the engine asks for them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "program/tree_builder.hpp"
#include "python/bind.hpp"
#include "python/source.hpp"
#include "steps/symmetry.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

// The numbers of a kind that can be exchanged, block by block.
using Blocks = std::vector<std::vector<std::int32_t>>;

std::shared_ptr<const Symmetry> symmetry_of(
    ShapeId shape, const std::vector<Blocks>& kinds, const std::vector<PlaceFamily>& variables,
    const std::vector<PlaceFamily>& leaves,
    const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>& parameters) {
  auto symmetry = std::make_shared<Symmetry>();
  symmetry->shape = shape;
  for (const Blocks& blocks : kinds) symmetry->add_kind(blocks);
  symmetry->variables = variables;
  symmetry->leaves = leaves;
  for (const auto& [position, own] : parameters) {
    if (symmetry->parameters.size() <= position) symmetry->parameters.resize(position + std::size_t{1});
    symmetry->parameters[position] = own;
  }
  return symmetry;
}

}  // namespace

void bind_network(nb::module_& module) {
  nb::class_<PythonNetwork>(module, "Network")
      .def(nb::init<std::size_t>(), "variables"_a)
      .def(
          "set_source",
          [](PythonNetwork& self, nb::object source) {
            self.source = std::make_unique<PythonSource>(std::move(source), self.network.calls);
            self.network.set_source(self.source.get());
          },
          "source"_a)
      .def(
          "set_values",
          [](PythonNetwork& self, std::shared_ptr<Values> values, bool in_order) {
            self.network.calls.set_values(std::move(values), self.network.variable_count(), in_order);
          },
          "values"_a, "in_order"_a, "With `in_order`, only one thread numbers values.")
      .def(
          "add_code",
          [](PythonNetwork& self, const std::vector<std::int32_t>& words) { return self.network.add_code(words); },
          "words"_a)
      .def(
          "reserve_locals", [](PythonNetwork& self, std::size_t count) { self.network.set_local_count(count); },
          "count"_a)
      .def(
          "define_position",
          [](PythonNetwork& self, std::uint32_t number, Position& position) {
            self.network.define_position(number, std::move(position));
          },
          "number"_a, "position"_a, "Takes over the edges of the position.")
      .def(
          "set_main", [](PythonNetwork& self, ProcessId process) { self.network.set_main(process); }, "process"_a)
      .def(
          "set_resting",
          [](PythonNetwork& self, const std::vector<std::uint32_t>& positions, CodeId condition) {
            self.network.set_resting(positions, condition);
          },
          "positions"_a, "condition"_a,
          "A state without steps has terminated if all leaves are at these positions and the condition holds.")
      .def(
          "intern_operator",
          [](PythonNetwork& self, const Operator& description) {
            return self.network.trees.intern_operator(description);
          },
          "description"_a)
      .def(
          "operator", [](PythonNetwork& self, OperatorId number) { return Operator(self.network.trees.op(number)); },
          "number"_a)
      .def_prop_ro("operator_count", [](PythonNetwork& self) { return self.network.trees.operator_count(); })
      .def(
          "intern_tree",
          [](PythonNetwork& self, OperatorId op, const std::vector<std::uint32_t>& payload) {
            return TreeBuilder(self.network).intern(op, payload);
          },
          "operator"_a, "payload"_a,
          "The number of a tree; the payload is its children, and the local state of a leaf, sequel or guard.")
      .def(
          "tree",
          [](PythonNetwork& self, TreeId tree) {
            const auto payload = self.network.trees.payload(tree);
            return std::make_pair(self.network.trees.operator_of(tree),
                                  std::vector<std::uint32_t>(payload.begin(), payload.end()));
          },
          "number"_a, "The operator and payload of a tree.")
      .def(
          "tree_unfolds", [](PythonNetwork& self, TreeId tree) { return self.network.trees.info(tree).unfolds; },
          "number"_a, "Whether a configuration keeps the parts of a tree apart.")
      .def_prop_ro("tree_count", [](PythonNetwork& self) { return self.network.trees.size(); })
      .def(
          "intern_shape",
          [](PythonNetwork& self, const std::vector<std::uint32_t>& key) {
            return self.network.shapes.intern(key, self.network.trees);
          },
          "key"_a)
      .def(
          "shape_key",
          [](PythonNetwork& self, ShapeId shape) {
            const auto key = self.network.shapes.key(shape);
            return std::vector<std::uint32_t>(key.begin(), key.end());
          },
          "number"_a)
      .def_prop_ro("shape_count", [](PythonNetwork& self) { return self.network.shapes.size(); })
      .def(
          "intern_local",
          [](PythonNetwork& self, std::uint32_t position, const std::vector<std::int32_t>& parameters) {
            return self.network.intern_local(position, parameters);
          },
          "position"_a, "parameters"_a)
      .def(
          "add_group", [](PythonNetwork& self, std::int32_t cutoff) { return self.network.add_group(cutoff); },
          "cutoff"_a)
      .def(
          "intern_counted",
          [](PythonNetwork& self, GroupId group, const std::vector<std::pair<LocalId, std::int32_t>>& members) {
            std::vector<Member> sorted;
            for (const auto& [local, count] : members) sorted.push_back(Member{local, count});
            std::sort(sorted.begin(), sorted.end(), [](const Member& a, const Member& b) { return a.local < b.local; });
            return self.network.intern_counted(group, sorted);
          },
          "group"_a, "members"_a)
      .def(
          "set_symmetry",
          [](PythonNetwork& self, TreeId tree, const std::vector<Blocks>& kinds,
             const std::vector<PlaceFamily>& variables, const std::vector<PlaceFamily>& leaves,
             const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>& parameters) {
            Unpacked unfolded;
            TreeBuilder(self.network).unfold(tree, unfolded);
            self.network.set_symmetry(symmetry_of(unfolded.shape, kinds, variables, leaves, parameters));
          },
          "tree"_a, "kinds"_a, "variables"_a, "leaves"_a, "parameters"_a)
      .def(
          "local",
          [](PythonNetwork& self, LocalId id) {
            const auto parameters = self.network.parameters(id);
            return std::make_pair(self.network.position_of(id),
                                  std::vector<std::int32_t>(parameters.begin(), parameters.end()));
          },
          "number"_a)
      .def_prop_ro("local_count", [](PythonNetwork& self) { return self.network.local_count(); })
      .def_prop_ro("labels", [](PythonNetwork& self) { return self.network.labels.label_texts(); })
      .def_prop_ro("processes", [](PythonNetwork& self) { return self.network.labels.process_names(); })
      .def_prop_ro("action_count", [](PythonNetwork& self) { return self.network.labels.action_count(); })
      .def(
          "action_parts",
          [](PythonNetwork& self, ActionId action) {
            const auto processes = self.network.labels.processes_of(action);
            return std::make_pair(self.network.labels.label_of(action),
                                  std::vector<ProcessId>(processes.begin(), processes.end()));
          },
          "action"_a, "A label and processes, by their numbers.")
      .def(
          "action",
          [](PythonNetwork& self, LabelId label, const std::vector<ProcessId>& processes) {
            return self.network.labels.action(label, processes);
          },
          "label"_a, "processes"_a)
      .def(
          "label", [](PythonNetwork& self, const std::string& text) { return self.network.labels.label(text); },
          "text"_a)
      .def(
          "process", [](PythonNetwork& self, const std::string& name) { return self.network.labels.process(name); },
          "name"_a)
      .def(
          "event_name",
          [](PythonNetwork& self, const std::vector<std::string>& pieces, const std::vector<ArgumentType>& types) {
            return self.network.labels.event_name(pieces, types);
          },
          "pieces"_a, "types"_a)
      .def(
          "construct", [](PythonNetwork& self, const std::string& text) { return self.network.labels.construct(text); },
          "text"_a);
}

}  // namespace fairlead
