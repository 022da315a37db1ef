// The step relation of trees that are more than leaves side by side.
#include <algorithm>

#include "steps/stepper.hpp"

namespace fairlead {

void Stepper::moves(const Shape& shape, std::uint32_t number) {
  const ShapeNode& node = shape.nodes[number];
  switch (node.kind) {
    case NodeKind::kLeaf:
      leaf_moves(node);
      break;
    case NodeKind::kParallel:
      parallel_moves(shape, node);
      break;
    case NodeKind::kChoice:
      for (const std::uint32_t child : node.children) moves(shape, child);
      break;
    case NodeKind::kGuarded: {
      const LocalId guard = state_.locals[node.slot];
      const CodeId condition = network_.condition(guard);
      scope_.parameters = network_.parameters(guard).data();
      if (network_.evaluate(condition, scope_) != 0) moves(shape, node.children[0]);
      break;
    }
    case NodeKind::kSequel: {
      const std::size_t first = moves_.size();
      moves(shape, node.children[0]);
      for (std::size_t i = first; i < moves_.size(); ++i) {
        if (moves_[i].kind != MoveKind::kTermination) continue;
        moves_[i].kind = MoveKind::kInternal;
        moves_[i].label = node.ending;
        moves_[i].relabelled = true;
        moves_[i].synchronises = false;
        moves_[i].restructures = true;
      }
      break;
    }
    case NodeKind::kExternal:
    case NodeKind::kInterrupt: {
      // an internal step of a branch or handler decides nothing, any other makes the choice
      if (node.kind == NodeKind::kInterrupt) moves(shape, node.children[0]);
      const std::size_t first = moves_.size();
      for (std::size_t i = node.kind == NodeKind::kInterrupt ? 1 : 0; i < node.children.size(); ++i) {
        moves(shape, node.children[i]);
      }
      for (std::size_t i = first; i < moves_.size(); ++i) {
        if (moves_[i].kind == MoveKind::kInternal) {
          leave_undecided(moves_[i], number);
        } else {
          moves_[i].restructures = true;
        }
      }
      break;
    }
    case NodeKind::kHidden: {
      const std::size_t first = moves_.size();
      moves(shape, node.children[0]);
      for (std::size_t i = first; i < moves_.size(); ++i) hide(node, moves_[i]);
      break;
    }
    case NodeKind::kAtomic: {
      const std::size_t first = moves_.size();
      moves(shape, node.children[0]);
      for (std::size_t i = first; i < moves_.size(); ++i) moves_[i].atomic = true;
      break;
    }
    case NodeKind::kHigh:
    case NodeKind::kLow: {
      const std::size_t first = moves_.size();
      moves(shape, node.children[0]);
      prioritise(node, first);
      break;
    }
  }
}

// Leaves out the steps from `first` on that the priorities of a node forbid; half a handshake is no step.
void Stepper::prioritise(const ShapeNode& node, std::size_t first) {
  const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto is_step = [](const Move& move) { return move.kind < MoveKind::kSend; };
  const auto goes_first = [&](const Move& move) {
    return node.events.contains(move.label) == (node.kind == NodeKind::kHigh);
  };
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

void Stepper::hide(const ShapeNode& node, Move& move) {
  if (move.kind != MoveKind::kEvent || !node.events.contains(move.label)) return;
  gather_processes(parts_of(move));
  move.kind = MoveKind::kInternal;
  move.label = network_.labels.hidden(move.label, processes_);
  move.relabelled = true;
  move.synchronises = false;
}

void Stepper::leaf_moves(const ShapeNode& node) {
  const LocalId number = state_.locals[node.slot];
  const LocalState local = network_.local(number);
  if (local.counted) {
    counted_moves(node, number);
  } else {
    edge_moves(Mover{node.slot, node.process, local.parameters}, local);
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

// The moves of the components are found first, at the end of moves_; those of the whole come behind them and
// then take their place.
void Stepper::parallel_moves(const Shape& shape, const ShapeNode& node) {
  const std::size_t first_bound = bounds_.size();
  const std::size_t first = moves_.size();
  bounds_.push_back(first);
  for (const std::uint32_t child : node.children) {
    moves(shape, child);
    bounds_.push_back(moves_.size());
  }
  const std::size_t last = moves_.size();
  for (std::size_t i = first; i < last; ++i) {
    const Move move = moves_[i];
    if (move.kind == MoveKind::kTermination) continue;
    if (move.kind == MoveKind::kEvent && move.synchronises && node.events.contains(move.label)) continue;
    moves_.push_back(move);
  }
  const std::span<const std::size_t> bounds = std::span(bounds_).subspan(first_bound);
  if (node.synchronises) synchronised_moves(node, bounds);
  handshakes(bounds);
  if (!node.ends) joint_termination(bounds);
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

void Stepper::synchronised_moves(const ShapeNode& node, std::span<const std::size_t> bounds) {
  joint_labels_.clear();
  for (std::size_t i = bounds.front(); i < bounds.back(); ++i) {
    const Move& move = moves_[i];
    if (move.kind == MoveKind::kEvent && move.synchronises && node.events.contains(move.label) &&
        std::find(joint_labels_.begin(), joint_labels_.end(), move.label) == joint_labels_.end()) {
      joint_labels_.push_back(move.label);
    }
  }
  for (const LabelId label : joint_labels_) {
    Move nobody{MoveKind::kEvent, true};
    nobody.label = label;
    joint_moves_.assign(1, nobody);
    for (const std::uint32_t child : node.events.at(label)) {
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

void Stepper::find_moves(const Shape& shape) {
  moves_.clear();
  tree_parts_.clear();
  undecided_.clear();
  bounds_.clear();
  moves(shape, 0);
}

void Stepper::expand_tree(const Shape& shape) {
  find_moves(shape);
  // half a handshake is no step; while an atomic process can move, only atomic ones do
  const auto is_step = [](const Move& move) { return move.kind < MoveKind::kSend; };
  const bool urgent = shape.has_atomic && std::any_of(moves_.begin(), moves_.end(),
                                                      [&](const Move& move) { return move.atomic && is_step(move); });
  for (const Move& move : moves_) {
    if (is_step(move) && (move.atomic || !urgent)) emit(shape, move);
  }
}

void Stepper::emit(const Shape& shape, const Move& move) {
  const std::span<const Part> parts = parts_of(move);
  const auto undecided = std::span<const std::uint32_t>(undecided_).subspan(move.first_undecided, move.undecided_count);
  append(shape, action_of(move), move.kind, parts, move.restructures, undecided);
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
