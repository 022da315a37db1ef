#include "program/tree_builder.hpp"

#include <algorithm>

namespace fairlead {

namespace {

// Whether a tree with such an operator, whose children are known, is kept apart (TreeInfo::unfolds).
bool does_unfold(NodeKind kind, bool child_unfolds, bool counted) {
  switch (kind) {
    case NodeKind::kParallel:
    case NodeKind::kHigh:
    case NodeKind::kLow:
      return true;
    case NodeKind::kSequel:
    case NodeKind::kInterrupt:
    case NodeKind::kHidden:
    case NodeKind::kAtomic:
      return child_unfolds;
    case NodeKind::kLeaf:
    case NodeKind::kChoice:
    case NodeKind::kGuarded:
    case NodeKind::kExternal:  // none of the branches runs yet
      return counted;
  }
  return false;
}

}  // namespace

bool TreeStep::touches(std::uint32_t first, std::uint32_t count) const {
  return std::ranges::any_of(parts,
                             [&](const MovePart& part) { return part.leaf >= first && part.leaf < first + count; });
}

// ---------------------------------------------------------------- nodes

TreeInfo TreeBuilder::info_of(OperatorId number, std::span<const std::uint32_t> payload) const {
  const Operator& op = network_.trees.op(number);
  TreeInfo info;
  if (op.kind == NodeKind::kLeaf) {
    info.leaf_count = 1;
    info.depth = 1;
    info.owner = op.process;
    info.counted = network_.position_of(payload[0]) == kCountedPosition;
    info.has_error = payload[0] == kErrorLocal;
  }
  bool child_unfolds = false;
  for (std::size_t i = 0; i < Trees::child_count(op.kind, payload.size()); ++i) {
    const TreeInfo& child = this->info(payload[i]);
    info.add(child);
    child_unfolds = child_unfolds || child.unfolds;
  }
  ++info.node_count;
  info.has_atomic = info.has_atomic || op.kind == NodeKind::kAtomic;
  info.unfolds = does_unfold(op.kind, child_unfolds, info.counted);
  return info;
}

TreeBuilder::Ref TreeBuilder::make(OperatorId op, std::span<const std::uint32_t> payload) {
  const TreeInfo info = info_of(op, payload);
  if (info.unfolds) {
    nodes_.push_back(
        {op, static_cast<std::uint32_t>(payloads_.size()), static_cast<std::uint32_t>(payload.size()), info});
    payloads_.insert(payloads_.end(), payload.begin(), payload.end());
    return kOwn | static_cast<Ref>(nodes_.size() - 1);
  }
  if (std::ranges::all_of(payload, is_interned)) return network_.trees.intern(op, payload, info);
  return intern_parts(op, payload, info);
}

// A tree that may unfold or be in an open slot, as a part of one that does not.
TreeBuilder::Ref TreeBuilder::interned(Ref tree) {
  if (!is_own(tree)) return closed(tree);
  const std::vector<std::uint32_t> parts(payload(tree).begin(), payload(tree).end());
  return intern_parts(operator_of(tree), parts, TreeInfo(info(tree)));
}

TreeBuilder::Ref TreeBuilder::intern_parts(OperatorId op, std::span<const std::uint32_t> payload,
                                           const TreeInfo& info) {
  std::vector<std::uint32_t> whole(payload.begin(), payload.end());
  const std::size_t children = Trees::child_count(network_.trees.op(op).kind, whole.size());
  for (std::size_t i = 0; i < children; ++i) whole[i] = interned(whole[i]);
  if (children < whole.size()) whole.back() = closed_local(whole.back());
  return network_.trees.intern(op, whole, info);
}

TreeBuilder::Ref TreeBuilder::make_from_stack(OperatorId op, std::size_t first) {
  const Ref made = make(op, std::span(stack_).subspan(first));
  stack_.resize(first);
  return made;
}

TreeBuilder::Ref TreeBuilder::leaf(LocalId local, ProcessId process) {
  return make(network_.trees.leaf_operator(process), {&local, 1});
}

TreeBuilder::Ref TreeBuilder::in_slot(LocalId content, ProcessId owner) {
  if (network_.position_of(content) != kTreePosition) return leaf(content, owner);
  return static_cast<Ref>(network_.parameters(content)[0]);
}

LocalId TreeBuilder::folded(Ref tree) {
  if (op(tree).kind == NodeKind::kLeaf) return local(tree);
  const auto number = static_cast<std::int32_t>(tree);
  return network_.intern_local(kTreePosition, {&number, 1});
}

// ---------------------------------------------------------------- whole configurations

TreeBuilder::Ref TreeBuilder::load(const Shape& shape, std::span<const LocalId> locals) {
  open_.clear();
  return load_node(shape, 0, locals);
}

TreeBuilder::Ref TreeBuilder::load_open(const Shape& shape, std::span<const LocalId> locals,
                                        std::span<const std::uint32_t> moving) {
  looked_at_.clear();
  open_.assign(locals.size(), OpenSlot{});
  for (std::uint32_t slot = 0; slot < locals.size(); ++slot) {
    if (std::ranges::find(moving, slot) == moving.end()) open_[slot].local = locals[slot];
  }
  return load_node(shape, 0, locals);
}

std::span<const std::uint32_t> TreeBuilder::looked_at() {
  std::ranges::sort(looked_at_);
  looked_at_.erase(std::ranges::unique(looked_at_).begin(), looked_at_.end());
  return looked_at_;
}

TreeBuilder::Ref TreeBuilder::load_node(const Shape& shape, std::uint32_t number, std::span<const LocalId> locals) {
  const ShapeNode& node = shape.nodes[number];
  const bool is_open = node.slot != kNone && node.slot < open_.size() && open_[node.slot].local != kNone;
  if (node.op == nullptr) {
    const Ref tree = in_slot(locals[node.slot], shape.slot_process[node.slot]);
    if (!is_open) return tree;
    open_[node.slot].tree = tree;
    open_[node.slot].info = info(tree);
    return kOpen | node.slot;
  }
  const std::size_t first = stack_.size();
  for (const std::uint32_t child : node.children) {
    const Ref part = load_node(shape, child, locals);
    stack_.push_back(part);
  }
  if (node.slot != kNone) stack_.push_back(is_open ? kOpen | node.slot : locals[node.slot]);
  return make_from_stack(node.number, first);
}

void TreeBuilder::unfold(Ref tree, Unpacked& state) {
  key_.clear();
  state.locals.clear();
  origins_.clear();
  unfold_node(tree, state);
  state.shape = network_.shapes.intern(key_, network_.trees);
}

void TreeBuilder::unfold_node(Ref tree, Unpacked& state) {
  const auto add_open = [&](std::uint32_t slot) {
    state.locals.push_back(open_[slot].local);
    origins_.push_back(slot);
  };
  if (is_open(tree)) {
    key_.insert(key_.end(), {Shapes::kSlotKey, info(tree).owner});
    add_open(slot_of(tree));
    return;
  }
  if (!info(tree).unfolds || op(tree).kind == NodeKind::kLeaf) {
    key_.insert(key_.end(), {Shapes::kSlotKey, info(tree).owner});
    state.locals.push_back(folded(tree));
    origins_.push_back(kNone);
    return;
  }
  const std::size_t children = child_count(tree);
  key_.insert(key_.end(), {operator_of(tree), static_cast<std::uint32_t>(children)});
  for (std::size_t i = 0; i < children; ++i) unfold_node(child(tree, i), state);
  const NodeKind kind = op(tree).kind;
  if (kind != NodeKind::kSequel && kind != NodeKind::kGuarded) return;
  const LocalId last = payload(tree).back();
  if (is_open(last)) {
    add_open(slot_of(last));
  } else {
    state.locals.push_back(last);
    origins_.push_back(kNone);
  }
}

TreeBuilder::Ref TreeBuilder::with_errors_collapsed(Ref tree) const {
  if (!info(tree).has_error) return tree;
  while (op(tree).kind != NodeKind::kLeaf) {
    std::size_t part = 0;
    while (!info(child(tree, part)).has_error) ++part;
    tree = child(tree, part);
  }
  return tree;
}

// ---------------------------------------------------------------- steps

TreeBuilder::Ref TreeBuilder::rewrite(Ref tree, const TreeStep& step, std::uint32_t first_leaf, std::uint32_t number) {
  if (!step.touches(first_leaf, info(tree).leaf_count)) return tree;
  const NodeKind kind = op(tree).kind;
  switch (kind) {
    case NodeKind::kLeaf: {
      const auto moves = [&](const MovePart& part) { return part.leaf == first_leaf; };
      return enter(std::ranges::find_if(step.parts, moves)->target, op(tree).process, step.values);
    }
    case NodeKind::kParallel:
      return rewrite_parallel(tree, step, first_leaf, number);
    case NodeKind::kChoice:
    case NodeKind::kExternal:
      return rewrite_choice(tree, step, first_leaf, number);
    case NodeKind::kInterrupt:
      return rewrite_interrupt(tree, step, first_leaf, number);
    default:
      break;
  }
  const Ref body = rewrite(child(tree, 0), step, first_leaf, number + 1);
  switch (kind) {
    case NodeKind::kGuarded:
      return body;
    case NodeKind::kSequel: {
      if (is_leaf_in(body, kSkipLocal) || is_leaf_in(body, kTerminatedLocal)) {
        return enter(local(tree), op(tree).process, step.values);
      }
      const std::uint32_t payload[] = {body, this->payload(tree).back()};
      return make(operator_of(tree), payload);
    }
    case NodeKind::kHidden:
      return hidden(body, operator_of(tree));
    case NodeKind::kAtomic:
      if (is_trivial(body) || op(body).kind == NodeKind::kAtomic) return body;
      [[fallthrough]];
    default:
      return make(operator_of(tree), {&body, 1});
  }
}

// What is hidden twice is hidden once, and Skip has nothing to hide. Hiding goes inside of atomic, so that a process that
// calls itself within both does not grow.
TreeBuilder::Ref TreeBuilder::hidden(Ref body, OperatorId events) {
  if (is_trivial(body)) return body;
  if (op(body).kind == NodeKind::kHidden) {
    const Ref inner = child(body, 0);
    return make(network_.trees.hiding_both(operator_of(body), events), {&inner, 1});
  }
  if (op(body).kind == NodeKind::kAtomic) {
    const OperatorId outer = operator_of(body);
    const Ref inner = hidden(child(body, 0), events);
    return make(outer, {&inner, 1});
  }
  return make(events, {&body, 1});
}

// An interleaving inside an interleaving is part of it.
void TreeBuilder::push_part(Ref part, bool interleaves) {
  if (!interleaves || is_open(part) || !op(part).is_interleaving()) {
    stack_.push_back(part);
    return;
  }
  for (std::size_t i = 0; i < child_count(part); ++i) stack_.push_back(child(part, i));
}

TreeBuilder::Ref TreeBuilder::rewrite_parallel(Ref tree, const TreeStep& step, std::uint32_t first_leaf,
                                               std::uint32_t number) {
  const OperatorId own = operator_of(tree);
  const bool interleaves = op(tree).is_interleaving();
  const std::size_t first = stack_.size();
  const std::size_t children = child_count(tree);
  bool all_ended = !op(tree).ends;
  ++number;
  for (std::size_t i = 0; i < children; ++i) {
    const Ref before = child(tree, i);
    const Ref after = rewrite(before, step, first_leaf, number);
    all_ended = all_ended && is_leaf_in(after, kTerminatedLocal);
    first_leaf += info(before).leaf_count;
    number += info(before).node_count;
    push_part(after, interleaves);
  }
  if (!all_ended) return make_from_stack(own, first);
  stack_.resize(first);
  return leaf(kTerminatedLocal, network_.main());
}

TreeBuilder::Ref TreeBuilder::rewrite_choice(Ref tree, const TreeStep& step, std::uint32_t first_leaf,
                                             std::uint32_t number) {
  const bool stays = std::ranges::find(step.undecided, number) != step.undecided.end();
  const OperatorId own = operator_of(tree);
  const std::size_t first = stack_.size();
  const std::size_t children = child_count(tree);
  ++number;
  for (std::size_t i = 0; i < children; ++i) {
    const Ref before = child(tree, i);
    const TreeInfo known = info(before);
    const bool moves = step.touches(first_leaf, known.leaf_count);
    const Ref after = moves ? rewrite(before, step, first_leaf, number) : before;
    if (moves && !stays) {
      stack_.resize(first);
      return after;
    }
    stack_.push_back(after);
    first_leaf += known.leaf_count;
    number += known.node_count;
  }
  return make_from_stack(own, first);
}

TreeBuilder::Ref TreeBuilder::rewrite_interrupt(Ref tree, const TreeStep& step, std::uint32_t first_leaf,
                                                std::uint32_t number) {
  const Ref body = child(tree, 0);
  const Ref handler = child(tree, 1);
  const TreeInfo known = info(body);
  if (step.touches(first_leaf, known.leaf_count)) {
    const Ref after = rewrite(body, step, first_leaf, number + 1);
    if (is_leaf_in(after, kTerminatedLocal)) return after;  // what has ended cannot be interrupted
    const std::uint32_t payload[] = {after, handler};
    return make(operator_of(tree), payload);
  }
  const bool stays = std::ranges::find(step.undecided, number) != step.undecided.end();
  const Ref after = rewrite(handler, step, first_leaf + known.leaf_count, number + 1 + known.node_count);
  if (!stays) return after;
  const std::uint32_t payload[] = {body, after};
  return make(operator_of(tree), payload);
}

}  // namespace fairlead
