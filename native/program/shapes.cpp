#include "program/shapes.hpp"

#include <algorithm>

namespace fairlead {

namespace {

// Finds out whether a shape is flat, and which of its slots must be at the end when the whole is.
void mark_whole(Shape& shape) {
  const auto is_slot = [&](std::uint32_t node) { return shape.nodes[node].kind == NodeKind::kLeaf; };
  const auto are_side_by_side = [&](std::uint32_t number) {
    const ShapeNode& node = shape.nodes[number];
    return node.kind == NodeKind::kParallel && std::ranges::all_of(node.children, is_slot);
  };
  const ShapeNode& root = shape.nodes[0];
  shape.has_priorities = root.op != nullptr && root.op->has_priorities();
  // the rest of a single leaf is not hidden any more
  shape.hides = root.kind == NodeKind::kHidden && are_side_by_side(root.children[0]);
  shape.top = shape.has_priorities || shape.hides ? root.children[0] : 0;
  shape.flat = is_slot(shape.top) || are_side_by_side(shape.top);
  if (shape.flat && shape.has_priorities) {
    for (const auto& [label, nobody] : root.op->events) {
      if (shape.has_priority.size() <= label) shape.has_priority.resize(label + std::size_t{1}, 0);
      shape.has_priority[label] = 1;
    }
  }
  std::uint32_t inner = 0;
  while (shape.nodes[inner].op != nullptr && shape.nodes[inner].op->has_priorities()) {
    inner = shape.nodes[inner].children[0];
  }
  const ShapeNode& whole = shape.nodes[inner];
  if (whole.op == nullptr) {
    shape.end_slots = {whole.slot};
  } else if (whole.op->ends && std::ranges::all_of(*whole.op->ends, [&](std::uint32_t child) {
               return is_slot(whole.children[child]);
             })) {
    for (const std::uint32_t child : *whole.op->ends) {
      shape.end_slots.push_back(shape.nodes[whole.children[child]].slot);
    }
  }
}

}  // namespace

ShapeId Shapes::intern(std::span<const std::uint32_t> key, const Trees& trees) {
  const auto [id, is_new] = keys_.intern(key);
  if (!is_new) return id;
  auto shape = std::make_unique<Shape>();
  std::size_t at = 0;
  add_node(*shape, key, at, trees);
  shape->slot_depth.assign(shape->slot_process.size(), 0);
  shape->slot_is_free.assign(shape->slot_process.size(), 0);
  std::vector<std::pair<std::uint32_t, std::uint16_t>> pending{{0, 1}};
  if (shape->nodes[0].op == nullptr) shape->slot_is_free[0] = 1;
  while (!pending.empty()) {
    const auto [number, depth] = pending.back();
    pending.pop_back();
    const ShapeNode& node = shape->nodes[number];
    if (node.slot != kNone) shape->slot_depth[node.slot] = depth;
    for (const std::uint32_t child : node.children) {
      pending.emplace_back(child, static_cast<std::uint16_t>(depth + 1));
      const ShapeNode& part = shape->nodes[child];
      if (node.kind == NodeKind::kParallel && part.op == nullptr) shape->slot_is_free[part.slot] = 1;
    }
  }
  mark_whole(*shape);
  shapes_.push_back(std::move(shape));
  return id;
}

std::uint32_t Shapes::add_node(Shape& shape, std::span<const std::uint32_t> key, std::size_t& at, const Trees& trees) {
  const auto number = static_cast<std::uint32_t>(shape.nodes.size());
  const auto add_slot = [&](ProcessId process) {
    shape.slot_process.push_back(process);
    shape.slot_class.push_back(class_of(process));
    return static_cast<std::uint32_t>(shape.slot_process.size() - 1);
  };
  shape.nodes.emplace_back();
  const std::uint32_t first = key[at++];
  const std::uint32_t second = key[at++];
  if (first == kSlotKey) {
    shape.nodes[number].slot = add_slot(second);
    return number;
  }
  const Operator& op = trees.op(first);
  std::vector<std::uint32_t> children;
  for (std::uint32_t i = 0; i < second; ++i) children.push_back(add_node(shape, key, at, trees));
  ShapeNode& node = shape.nodes[number];
  node.kind = op.kind;
  node.op = &op;
  node.number = first;
  node.children = std::move(children);
  if (op.kind == NodeKind::kSequel || op.kind == NodeKind::kGuarded) node.slot = add_slot(op.process);
  return number;
}

std::uint32_t Shapes::class_of(ProcessId process) {
  const auto [entry, is_new] = classes_.try_emplace(process, static_cast<std::uint32_t>(class_processes_.size()));
  if (is_new) class_processes_.push_back(process);
  return entry->second;
}

}  // namespace fairlead
