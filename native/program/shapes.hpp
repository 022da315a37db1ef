// Shapes: what of a configuration's tree is kept apart from its slots.
//
// A configuration is the values of the variables, a shape, and a local state for each slot of the shape. A shape is the
// part of the tree above the compositions whose parts run side by side; what these parts are is in the slots. A part that
// is itself a tree (but has no such composition inside) is in its slot as a whole, as a local state at kTreePosition whose
// only parameter is the number of the tree. So there are few shapes: as many as there are ways in which compositions are
// nested.
#pragma once

#include "program/trees.hpp"

namespace fairlead {

// The position of local states that stand for a tree.
inline constexpr std::uint32_t kTreePosition = 0xfffffffd;

// A node of a shape. Children are node numbers; a slot has kind kLeaf; a sequel or guard has a slot of its own.
struct ShapeNode {
  NodeKind kind = NodeKind::kLeaf;
  const Operator* op = nullptr;  // of a node that is not a slot
  OperatorId number = kNone;  // of that operator
  std::uint32_t slot = kNone;  // a slot; sequel: what follows; guarded: the guard
  std::vector<std::uint32_t> children;
};

struct Shape {
  std::vector<ShapeNode> nodes;  // nodes[0] is the root
  std::vector<ProcessId> slot_process;  // who owns a leaf in the slot, or the first leaf of a tree
  // Slots of one process number their local states together, in all shapes.
  std::vector<std::uint32_t> slot_class;
  std::vector<std::uint16_t> slot_depth;  // how deep in the tree it is
  // What becomes of the part in such a slot does not concern the nodes around it, unless it unfolds.
  std::vector<std::uint8_t> slot_is_free;
  // A slot, or a parallel node of slots; perhaps with priorities, or with labels that are hidden.
  bool flat = false;
  bool has_priorities = false;  // of a flat shape: its root
  bool hides = false;
  std::uint32_t top = 0;  // of a flat shape: that slot or parallel node
  std::vector<std::uint8_t> has_priority;  // of a flat shape with priorities: by label
  // The whole has ended if at least one slot is listed, and all that are listed are at the end.
  std::vector<std::uint32_t> end_slots;

  // The operator of a parallel node at the top; nothing if that is a slot.
  [[nodiscard]] const Operator* composition() const { return nodes[top].op; }
};

// A configuration, unpacked.
struct Unpacked {
  ShapeId shape = 0;
  std::vector<std::int32_t> values;
  std::vector<LocalId> locals;
};

// The shapes met so far, numbered. A shape is known by its key: its nodes from the root on, each before its children: an
// operator and the number of children, or kSlotKey and the process that owns the slot.
class Shapes {
 public:
  static constexpr std::uint32_t kSlotKey = kNone;

  ShapeId intern(std::span<const std::uint32_t> key, const Trees& trees);
  [[nodiscard]] const Shape& get(ShapeId id) const { return *shapes_[id]; }
  [[nodiscard]] std::span<const std::uint32_t> key(ShapeId id) const { return keys_.get(id); }
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] std::size_t class_count() const { return class_processes_.size(); }

 private:
  std::uint32_t add_node(Shape& shape, std::span<const std::uint32_t> key, std::size_t& at, const Trees& trees);
  std::uint32_t class_of(ProcessId process);

  SequenceInterner keys_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::unordered_map<ProcessId, std::uint32_t> classes_;
  std::vector<ProcessId> class_processes_;
};

}  // namespace fairlead
