// The step relation of trees that are more than leaves side by side.
#include <algorithm>

#include "steps/stepper.hpp"

namespace fairlead {

// ---------------------------------------------------------------- the nodes of a configuration

void Stepper::find_moves(const Shape& shape) {
  moves_.clear();
  tree_parts_.clear();
  undecided_.clear();
  bounds_.clear();
  leaf_slots_.clear();
  slot_places_.resize(shape.slot_process.size());
  has_places_ = true;
  TreePlace at;
  shape_moves(shape, 0, at);
}

void Stepper::shape_moves(const Shape& shape, std::uint32_t node, TreePlace& at) {
  const ShapeNode& own = shape.nodes[node];
  if (own.op == nullptr) {
    slot_moves(own.slot, shape.slot_process[own.slot], at);
    return;
  }
  const std::uint32_t number = at.node++;
  const LocalId local = own.slot == kNone ? kNone : state_.locals[own.slot];
  node_moves(
      *own.op, local, number, own.children.size(),
      [&](std::size_t child) { shape_moves(shape, own.children[child], at); },
      [&] { skip_shape(shape, own.children[0], at); });
}

void Stepper::slot_moves(std::uint32_t slot, ProcessId owner, TreePlace& at) {
  const LocalId content = state_.locals[slot];
  if (network_.position_of(content) == kTreePosition) {
    const TreeBuilder::Ref tree = builder_.in_slot(content, owner);
    note_slot(slot, builder_.info(tree).leaf_count, at);
    tree_moves(tree, at);
  } else {
    note_slot(slot, 1, at);
    ++at.node;
    leaf_moves(content, owner, at.leaf++);
  }
}

void Stepper::note_slot(std::uint32_t slot, std::uint32_t leaves, const TreePlace& at) {
  slot_places_[slot] = at;
  leaf_slots_.insert(leaf_slots_.end(), leaves, slot);
}

void Stepper::skip_shape(const Shape& shape, std::uint32_t node, TreePlace& at) {
  const ShapeNode& own = shape.nodes[node];
  TreeInfo info;
  info.leaf_count = info.node_count = 1;
  if (own.op != nullptr) {
    ++at.node;
    for (const std::uint32_t child : own.children) skip_shape(shape, child, at);
    return;
  }
  const LocalId content = state_.locals[own.slot];
  if (network_.position_of(content) == kTreePosition) info = builder_.info(builder_.in_slot(content, kNone));
  note_slot(own.slot, info.leaf_count, at);
  at.leaf += info.leaf_count;
  at.node += info.node_count;
}

void Stepper::tree_moves(TreeBuilder::Ref tree, TreePlace& at) {
  const Operator& op = builder_.op(tree);
  const std::uint32_t number = at.node++;
  if (op.kind == NodeKind::kLeaf) {
    leaf_moves(builder_.local(tree), op.process, at.leaf++);
    return;
  }
  const LocalId local = builder_.has_local(tree) ? builder_.local(tree) : kNone;
  node_moves(
      op, local, number, builder_.child_count(tree),
      [&](std::size_t child) { tree_moves(builder_.child(tree, child), at); },
      [&] {
        const TreeInfo& skipped = builder_.info(builder_.child(tree, 0));
        at.leaf += skipped.leaf_count;
        at.node += skipped.node_count;
      });
}

// ---------------------------------------------------------------- operators

template <typename Visit, typename Skip>
void Stepper::node_moves(const Operator& op, LocalId local, std::uint32_t number, std::size_t children, Visit&& visit,
                         Skip&& skip) {
  std::size_t first = moves_.size();
  switch (op.kind) {
    case NodeKind::kParallel: {
      const std::size_t first_bound = bounds_.size();
      bounds_.push_back(first);
      for (std::size_t i = 0; i < children; ++i) {
        visit(i);
        bounds_.push_back(moves_.size());
      }
      parallel_moves(op, first_bound);
      return;
    }
    case NodeKind::kGuarded:
      scope_.parameters = network_.parameters(local).data();
      if (network_.evaluate(network_.condition(local), scope_) != 0) {
        visit(0);
      } else {
        skip();
      }
      return;
    case NodeKind::kInterrupt:
      visit(0);
      first = moves_.size();
      visit(1);
      decide(first, number);
      return;
    default:
      break;
  }
  for (std::size_t i = 0; i < children; ++i) visit(i);
  if (op.kind == NodeKind::kExternal) decide(first, number);
  if (op.has_priorities()) prioritise(op, first);
  for (std::size_t i = first; i < moves_.size(); ++i) {
    Move& move = moves_[i];
    if (op.kind == NodeKind::kHidden) hide(op, move);
    if (op.kind == NodeKind::kAtomic) move.atomic = true;
    if (op.kind != NodeKind::kSequel || move.kind != MoveKind::kTermination) continue;
    move.kind = MoveKind::kInternal;
    move.label = op.ending;
    move.relabelled = true;
    move.synchronises = false;
    move.restructures = true;
  }
}

// An internal step of a branch or handler decides nothing, any other makes the choice.
void Stepper::decide(std::size_t first, std::uint32_t number) {
  for (std::size_t i = first; i < moves_.size(); ++i) {
    if (moves_[i].kind == MoveKind::kInternal) {
      leave_undecided(moves_[i], number);
    } else {
      moves_[i].restructures = true;
    }
  }
}

// Leaves out the steps from `first` on that the priorities of a node forbid; half a handshake is not a step.
void Stepper::prioritise(const Operator& op, std::size_t first) {
  const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto is_step = [](const Move& move) { return move.kind < MoveKind::kSend; };
  const auto goes_first = [&](const Move& move) { return op.has(move.label) == (op.kind == NodeKind::kHigh); };
  if (std::none_of(begin, moves_.end(), [&](const Move& move) { return is_step(move) && goes_first(move); })) return;
  moves_.erase(
      std::remove_if(begin, moves_.end(), [&](const Move& move) { return is_step(move) && !goes_first(move); }),
      moves_.end());
}

void Stepper::leave_undecided(Move& move, std::uint32_t number) {
  const auto first = static_cast<std::uint32_t>(undecided_.size());
  for (std::uint32_t i = 0; i < move.undecided_count; ++i) undecided_.push_back(undecided_[move.first_undecided + i]);
  undecided_.push_back(number);
  move.first_undecided = first;
  ++move.undecided_count;
}

void Stepper::hide(const Operator& op, Move& move) {
  if (move.kind != MoveKind::kEvent || !op.has(move.label)) return;
  gather_processes(parts_of(move));
  move.kind = MoveKind::kInternal;
  move.label = network_.labels.hidden(move.label, processes_);
  move.relabelled = true;
  move.synchronises = false;
}

void Stepper::leaf_moves(LocalId number, ProcessId process, std::uint32_t leaf) {
  const LocalState local = network_.local(number);
  if (local.counted) {
    counted_moves(leaf, number);
  } else {
    edge_moves(Mover{leaf, process, local.parameters}, local);
  }
}

void Stepper::edge_moves(const Mover& mover, const LocalState& local) {
  scope_.parameters = local.parameters;
  for (LocalEdge& edge : local.edge_span()) {
    if (!network_.enabled(edge, scope_)) continue;
    Part part(mover, kNone, edge, local);
    Move move{edge.kind, edge.edge->synchronises};
    if (edge.kind >= MoveKind::kSend) move.offer = offer(edge);
    if (edge.kind != MoveKind::kReceive) {  // the rest is known when there is a message
      move.label = network_.label(edge, mover.process, scope_);
      part.target = network_.target(edge, scope_);
    }
    move.first_part = static_cast<std::uint32_t>(tree_parts_.size());
    move.part_count = 1;
    tree_parts_.push_back(part);
    moves_.push_back(move);
  }
}

// A step with the shares of both; everything but the parts is as in the first.
Stepper::Move Stepper::joined(const Move& step, const Move& other) {
  Move joint = step;
  joint.first_part = static_cast<std::uint32_t>(tree_parts_.size());
  joint.part_count = step.part_count + other.part_count;
  for (const Move* move : {&step, &other}) {
    for (std::uint32_t i = 0; i < move->part_count; ++i) {
      const Part part = tree_parts_[move->first_part + i];
      tree_parts_.push_back(part);
    }
  }
  for (std::uint32_t i = 0; i < other.undecided_count; ++i) {
    leave_undecided(joint, undecided_[other.first_undecided + i]);
  }
  joint.restructures = step.restructures || other.restructures;
  joint.atomic = step.atomic || other.atomic;
  return joint;
}

// The moves of the components are at the end of moves_; those of the whole come behind them and then take their place.
void Stepper::parallel_moves(const Operator& op, std::size_t first_bound) {
  const std::size_t first = bounds_[first_bound];
  const std::size_t last = moves_.size();
  for (std::size_t i = first; i < last; ++i) {
    const Move move = moves_[i];
    if (move.kind == MoveKind::kTermination) continue;
    if (move.kind == MoveKind::kEvent && move.synchronises && op.has(move.label)) continue;
    moves_.push_back(move);
  }
  const std::span<const std::size_t> bounds = std::span(bounds_).subspan(first_bound);
  if (op.synchronises) synchronised_moves(op, bounds);
  handshakes(bounds);
  if (!op.ends) joint_termination(bounds);
  moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(first), moves_.begin() + static_cast<std::ptrdiff_t>(last));
  bounds_.resize(first_bound);
}

// Termination is joint: all components, in one step.
void Stepper::joint_termination(std::span<const std::size_t> bounds) {
  const auto ending_of = [&](std::size_t component) {
    std::size_t at = bounds[component];
    while (at < bounds[component + 1] && moves_[at].kind != MoveKind::kTermination) ++at;
    return at;
  };
  for (std::size_t component = 0; component + 1 < bounds.size(); ++component) {
    if (ending_of(component) == bounds[component + 1]) return;
  }
  Move ending{MoveKind::kTermination, true};
  ending.label = kTerminateLabel;
  for (std::size_t component = 0; component + 1 < bounds.size(); ++component) {
    ending = joined(ending, moves_[ending_of(component)]);
  }
  moves_.push_back(ending);
}

void Stepper::handshakes(std::span<const std::size_t> bounds) {
  halves_.clear();
  bool anyone_sends = false;
  for (std::uint32_t component = 0; component + 1 < bounds.size(); ++component) {
    for (std::size_t i = bounds[component]; i < bounds[component + 1]; ++i) {
      anyone_sends = anyone_sends || moves_[i].kind == MoveKind::kSend;
      if (moves_[i].kind == MoveKind::kReceive) halves_.push_back(Half{i, component});
    }
  }
  if (!anyone_sends || halves_.empty()) return;
  for (std::uint32_t component = 0; component + 1 < bounds.size(); ++component) {
    for (std::size_t i = bounds[component]; i < bounds[component + 1]; ++i) {
      if (moves_[i].kind != MoveKind::kSend) continue;
      const Move sent = moves_[i];
      for (const Half& half : halves_) {
        if (half.component != component) handshake(sent, Move(moves_[half.move]));
      }
    }
  }
}

// Appends the step of two halves, if the receiver accepts the message.
void Stepper::handshake(const Move& sent, const Move& wanted) {
  Part accepted = tree_parts_[wanted.first_part];
  if (!receive(accepted, sent.offer, wanted.offer)) return;
  Move joint = joined(sent, wanted);
  joint.kind = MoveKind::kEvent;
  tree_parts_.back() = accepted;
  moves_.push_back(joint);
}

void Stepper::synchronised_moves(const Operator& op, std::span<const std::size_t> bounds) {
  joint_labels_.clear();
  for (std::size_t i = bounds.front(); i < bounds.back(); ++i) {
    const Move& move = moves_[i];
    if (move.kind == MoveKind::kEvent && move.synchronises && op.has(move.label) &&
        std::find(joint_labels_.begin(), joint_labels_.end(), move.label) == joint_labels_.end()) {
      joint_labels_.push_back(move.label);
    }
  }
  for (const LabelId label : joint_labels_) {
    Move nobody{MoveKind::kEvent, true};
    nobody.label = label;
    joint_moves_.assign(1, nobody);
    for (const std::uint32_t child : op.events.at(label)) {
      extended_.clear();
      for (std::size_t i = bounds[child]; i < bounds[child + 1]; ++i) {
        const Move& offered = moves_[i];
        if (offered.kind != MoveKind::kEvent || offered.label != label || !offered.synchronises) continue;
        for (const Move& combined : joint_moves_) extended_.push_back(joined(combined, offered));
      }
      joint_moves_.swap(extended_);
      if (joint_moves_.empty()) break;  // one of them cannot
    }
    moves_.insert(moves_.end(), joint_moves_.begin(), joint_moves_.end());
  }
}

void Stepper::expand_tree(const Shape& shape) {
  find_moves(shape);
  // half a handshake is not a step; while an atomic process can move, only atomic ones do
  const auto is_step = [](const Move& move) { return move.kind < MoveKind::kSend; };
  const bool urgent = std::ranges::any_of(moves_, [&](const Move& move) { return move.atomic && is_step(move); });
  for (const Move& move : moves_) {
    if (is_step(move) && (move.atomic || !urgent)) emit(shape, move);
  }
}

void Stepper::emit(const Shape& shape, const Move& move) {
  const auto undecided = std::span<const std::uint32_t>(undecided_).subspan(move.first_undecided, move.undecided_count);
  append({shape, action_of(move), move.kind, move.restructures, undecided}, parts_of(move));
}

ActionId Stepper::action_of(const Move& move) {
  const std::span<const Part> parts = parts_of(move);
  if (parts.size() == 1 && !move.relabelled) {
    LocalEdge& edge = *parts[0].edge;
    // the label of such an edge is always the same, and its action is kept with it
    if (edge.label != kNone || edge.kind == MoveKind::kInternal) {
      return network_.action(edge, parts[0].process, scope_);
    }
  }
  gather_processes(parts);
  return network_.labels.action(move.label, processes_);
}

}  // namespace fairlead
