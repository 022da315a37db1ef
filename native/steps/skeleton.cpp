#include "steps/skeleton.hpp"

#include <algorithm>

namespace fairlead {

Skeleton::Skeleton(const Shape& shape) : shape_(shape) {
  const std::size_t slots = shape.slot_process.size();
  parent_.assign(shape.nodes.size(), kNone);
  node_of_.assign(slots, kNone);
  is_handler_.assign(slots, 0);
  may_share_.assign(slots, 0);
  hiding_.resize(slots);
  visit(0, false);
  if (!is_plain_) return;
  Alternatives whole = ends_of(0);
  if (!whole.empty()) endings_.push_back({kNone, std::move(whole)});
}

void Skeleton::visit(std::uint32_t number, bool in_handler) {
  const ShapeNode& node = shape_.nodes[number];
  for (const std::uint32_t child : node.children) parent_[child] = number;
  if (node.op == nullptr) {
    node_of_[node.slot] = number;
    is_handler_[node.slot] = in_handler;
    for (std::uint32_t above = parent_[number]; above != kNone; above = parent_[above]) {
      const Operator& op = *shape_.nodes[above].op;
      if (op.synchronises) may_share_[node.slot] = 1;
      if (op.kind == NodeKind::kHidden) hiding_[node.slot].push_back(&op);
    }
    return;
  }
  switch (node.kind) {
    case NodeKind::kHigh:
    case NodeKind::kLow:
      if (!shape_.flat) is_plain_ = false;
      break;
    case NodeKind::kParallel:
    case NodeKind::kSequel:
    case NodeKind::kHidden:
    case NodeKind::kInterrupt:
      break;
    default:
      is_plain_ = false;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    visit(node.children[i], in_handler || (node.kind == NodeKind::kInterrupt && i == 1));
  }
}

Skeleton::Alternatives Skeleton::ends_of(std::uint32_t number) {
  constexpr std::size_t kMost = 16;
  const ShapeNode& node = shape_.nodes[number];
  if (node.op == nullptr) return {{node.slot}};
  std::vector<Alternatives> parts;
  for (const std::uint32_t child : node.children) parts.push_back(ends_of(child));
  if (node.kind == NodeKind::kSequel) {  // its first part ends, not itself
    if (!parts[0].empty()) endings_.push_back({number, std::move(parts[0]), last_slot_of(number)});
    return {};
  }
  if (node.kind == NodeKind::kInterrupt) {
    parts[0].insert(parts[0].end(), parts[1].begin(), parts[1].end());
    return parts[0];
  }
  if (node.kind != NodeKind::kParallel) return parts[0];
  if (node.op->ends) return {};
  Alternatives all{{}};
  for (const Alternatives& part : parts) {
    Alternatives longer;
    for (const auto& some : all) {
      for (const auto& more : part) {
        longer.push_back(some);
        longer.back().insert(longer.back().end(), more.begin(), more.end());
      }
    }
    all = std::move(longer);
    if (all.size() > kMost) return {{}};  // then it is left open whether it can end
  }
  return all;
}

// A sequel's own slot waits, so it is passed over: the last one that runs is below its only child.
std::uint32_t Skeleton::last_slot_of(std::uint32_t number) const {
  const ShapeNode* node = &shape_.nodes[number];
  while (node->op != nullptr) node = &shape_.nodes[node->children.back()];
  return node->slot;
}

void Skeleton::add_left_open_above(std::uint32_t number, bool is_internal, LabelId label,
                                   std::vector<std::uint32_t>& nodes) const {
  for (std::uint32_t above = parent_[number]; above != kNone; number = above, above = parent_[above]) {
    const ShapeNode& node = shape_.nodes[above];
    if (is_internal && node.kind == NodeKind::kInterrupt && node.children[1] == number) nodes.push_back(above);
    if (node.kind == NodeKind::kHidden && node.op->has(label)) is_internal = true;
  }
}

bool Skeleton::hides(std::uint32_t slot, LabelId label) const {
  return std::ranges::any_of(hiding_[slot], [&](const Operator* op) { return op->has(label); });
}

std::uint32_t Skeleton::shared_count(std::uint32_t slot) const {
  std::uint32_t count = 0;
  std::uint32_t below = node_of_[slot];
  for (std::uint32_t above = parent_[below]; above != kNone; below = above, above = parent_[above]) {
    const ShapeNode& node = shape_.nodes[above];
    if (!node.op->synchronises) continue;
    const auto child = static_cast<std::uint32_t>(std::ranges::find(node.children, below) - node.children.begin());
    for (const auto& [label, partners] : node.op->events) {
      if (std::ranges::find(partners, child) != partners.end()) ++count;
    }
  }
  return count;
}

bool Skeleton::gather(std::uint32_t number, LabelId label, std::vector<std::uint32_t>& slots) const {
  const ShapeNode& node = shape_.nodes[number];
  if (node.op == nullptr) {
    slots.push_back(node.slot);
    return true;
  }
  if (node.kind == NodeKind::kParallel && node.op->has(label)) return false;
  if (node.kind == NodeKind::kHidden && node.op->has(label)) return true;  // it is invisible outside
  return std::ranges::all_of(node.children, [&](std::uint32_t child) { return gather(child, label, slots); });
}

Resolution Skeleton::resolve(std::uint32_t slot, LabelId label, bool synchronises) const {
  Resolution found;
  std::uint32_t below = node_of_[slot];
  for (std::uint32_t above = parent_[below]; above != kNone; below = above, above = parent_[above]) {
    const ShapeNode& node = shape_.nodes[above];
    if (node.kind == NodeKind::kHidden && node.op->has(label)) found.hidden = true;
    if (found.hidden) continue;  // from here on it is internal, and leaves everything undecided
    if (node.kind == NodeKind::kInterrupt && node.children[1] == below) {
      if (found.node != kNone) found.known = false;
      found.interrupts = true;
    }
    if (!synchronises || !node.op->synchronises || !node.op->has(label)) continue;
    const auto child = std::ranges::find(node.children, below) - node.children.begin();
    const std::vector<std::uint32_t>& partners = node.op->events.at(label);
    if (std::ranges::find(partners, static_cast<std::uint32_t>(child)) == partners.end()) {
      found.blocked = true;
      return found;
    }
    if (found.node != kNone) found.known = false;
    found.node = above;
    for (const std::uint32_t partner : partners) {
      if (!gather(node.children[partner], label, found.groups.emplace_back())) found.known = false;
    }
  }
  return found;
}

}  // namespace fairlead
