#include "stepper.hpp"

#include <algorithm>

namespace fairlead {

namespace {
struct DoesNotFit {};
}  // namespace

bool Stepper::holds(CodeId condition, const std::uint64_t* record) {
  unpack(record);
  return holds(condition);
}

bool Stepper::expand(const std::uint64_t* record, SuccessorBuffer& out) {
  unpack(record);
  record_ = record;
  out_ = &out;
  Scope& scope = network_.scope;
  scope.shared = state_.values.data();
  scope.rounds = 0;
  const Shape& shape = network_.shape(state_.shape);
  try {
    if (shape.flat && !shape.flat_synchronises) {
      expand_flat(shape);
    } else {
      std::vector<Move> found;
      moves(shape, 0, found);
      for (const Move& move : found) emit(shape, move);
    }
  } catch (const DoesNotFit&) {
    scope.undo();
    return false;
  } catch (...) {
    scope.undo();
    throw;
  }
  return true;
}

// ---------------------------------------------------------------- leaves side by side

void Stepper::single(const Shape& shape, std::uint32_t slot, LocalEdge& edge, const LocalState& local) {
  const ActionId action = network_.action(edge, shape.slot_process[slot]);
  const LocalId target = network_.target(edge);
  if ((edge.update == kNoCode || edge.stores_constants) && !network_.is_composite(target)) {
    append_simple(action, slot, target, edge);
    return;
  }
  const Part part{slot, target, &edge, local.parameters};
  append(shape, action, edge.kind, std::span<const Part>(&part, 1), false);
}

void Stepper::append_simple(ActionId action, std::uint32_t slot, LocalId target, const LocalEdge& edge) {
  std::uint64_t* words = new_record(action);
  for (std::size_t i = 0; i < layout_.words(); ++i) words[i] = record_[i];
  if (!layout_.set_local(words, state_.shape, slot, target)) reject_local(slot, target);
  for (const auto& [variable, value] : network_.stores(edge)) {
    const auto number = static_cast<std::size_t>(variable);
    if (!layout_.set_value(words, state_.shape, number, value)) reject_value(number, value);
  }
}

void Stepper::reject_local(std::size_t slot, LocalId target) {
  misfit_ = Misfit{Misfit::What::kLocal, state_.shape, slot, target, {}};
  throw DoesNotFit{};
}

void Stepper::reject_value(std::size_t variable, std::int64_t value) {
  misfit_ = Misfit{Misfit::What::kValue, state_.shape, variable, value, {}};
  throw DoesNotFit{};
}

void Stepper::expand_flat(const Shape& shape) {
  bool all_can_end = shape.slot_process.size() > 1;
  for (std::uint32_t slot = 0; slot < shape.slot_process.size(); ++slot) {
    const LocalState local = network_.local(state_.locals[slot]);
    bool can_end = false;
    network_.scope.parameters = local.parameters;
    for (LocalEdge& edge : local.edge_span()) {
      if (!network_.enabled(edge)) continue;
      if (edge.kind == MoveKind::kTermination && shape.slot_process.size() > 1) {
        can_end = true;
        continue;
      }
      single(shape, slot, edge, local);
    }
    all_can_end = all_can_end && can_end;
  }
  if (all_can_end) {
    std::vector<Move> found;
    moves(shape, 0, found);
    for (const Move& move : found) {
      if (move.kind == MoveKind::kTermination) emit(shape, move);
    }
  }
}

// ---------------------------------------------------------------- trees

void Stepper::moves(const Shape& shape, std::uint32_t number, std::vector<Move>& out) {
  const ShapeNode& node = shape.nodes[number];
  switch (node.kind) {
    case NodeKind::kLeaf:
      leaf_moves(node, out);
      break;
    case NodeKind::kParallel:
      parallel_moves(shape, node, out);
      break;
    case NodeKind::kChoice:
      for (const std::uint32_t child : node.children) moves(shape, child, out);
      break;
    case NodeKind::kGuarded: {
      const LocalId guard = state_.locals[node.slot];
      const CodeId condition = network_.condition(guard);
      network_.scope.parameters = network_.parameters(guard).data();
      if (network_.evaluate(condition) != 0) moves(shape, node.children[0], out);
      break;
    }
    case NodeKind::kSequel: {
      const std::size_t first = out.size();
      moves(shape, node.children[0], out);
      for (std::size_t i = first; i < out.size(); ++i) {
        if (out[i].kind != MoveKind::kTermination) continue;
        out[i].kind = MoveKind::kInternal;
        out[i].label = node.process;
        out[i].synchronises = false;
        out[i].restructures = true;
      }
      break;
    }
  }
}

void Stepper::leaf_moves(const ShapeNode& node, std::vector<Move>& out) {
  const LocalState local = network_.local(state_.locals[node.slot]);
  network_.scope.parameters = local.parameters;
  for (LocalEdge& edge : local.edge_span()) {
    if (!network_.enabled(edge)) continue;
    const LabelId label = network_.label(edge, node.process);
    const LocalId target = network_.target(edge);
    out.push_back(Move{edge.kind,
                       edge.edge->synchronises,
                       label,
                       {Part{node.slot, target, &edge, local.parameters}},
                       {node.process},
                       false});
  }
}

void Stepper::parallel_moves(const Shape& shape, const ShapeNode& node, std::vector<Move>& out) {
  std::vector<std::vector<Move>> own(node.children.size());
  for (std::size_t i = 0; i < own.size(); ++i) moves(shape, node.children[i], own[i]);
  for (const auto& component : own) {
    for (const Move& move : component) {
      if (move.kind == MoveKind::kTermination) continue;
      if (move.kind == MoveKind::kEvent && move.synchronises && node.partners.contains(move.label)) continue;
      out.push_back(move);
    }
  }
  if (node.synchronises) synchronised_moves(node, own, out);
  // termination is joint: all components, in one step
  Move ending{MoveKind::kTermination, true, kTerminateLabel, {}, {}, false};
  for (const auto& component : own) {
    const auto found = std::find_if(component.begin(), component.end(), [](const Move& move) {
      return move.kind == MoveKind::kTermination;
    });
    if (found == component.end()) return;
    ending.parts.insert(ending.parts.end(), found->parts.begin(), found->parts.end());
    ending.processes.insert(ending.processes.end(), found->processes.begin(), found->processes.end());
  }
  out.push_back(std::move(ending));
}

void Stepper::synchronised_moves(const ShapeNode& node, const std::vector<std::vector<Move>>& own,
                                 std::vector<Move>& out) {
  std::vector<LabelId> shared;
  for (const auto& component : own) {
    for (const Move& move : component) {
      if (move.kind == MoveKind::kEvent && move.synchronises && node.partners.contains(move.label) &&
          std::find(shared.begin(), shared.end(), move.label) == shared.end()) {
        shared.push_back(move.label);
      }
    }
  }
  for (const LabelId label : shared) {
    std::vector<Move> joint{Move{MoveKind::kEvent, true, label, {}, {}, false}};
    for (const std::uint32_t child : node.partners.at(label)) {
      std::vector<Move> extended;
      for (const Move& offer : own[child]) {
        if (offer.kind != MoveKind::kEvent || offer.label != label || !offer.synchronises) continue;
        for (Move combined : joint) {
          combined.parts.insert(combined.parts.end(), offer.parts.begin(), offer.parts.end());
          combined.processes.insert(combined.processes.end(), offer.processes.begin(), offer.processes.end());
          combined.restructures = combined.restructures || offer.restructures;
          extended.push_back(std::move(combined));
        }
      }
      joint = std::move(extended);
    }
    for (Move& move : joint) out.push_back(std::move(move));
  }
}

void Stepper::emit(const Shape& shape, const Move& move) {
  std::vector<ProcessId> processes = move.processes;
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  append(shape, network_.labels.action(move.label, processes), move.kind, move.parts, move.restructures);
}

// ---------------------------------------------------------------- successors

std::uint64_t* Stepper::new_record(ActionId action) {
  const std::size_t stride = layout_.words();
  const std::size_t at = out_->words.size();
  out_->words.resize(at + stride);
  out_->actions.push_back(action);
  return out_->words.data() + at;
}

void Stepper::append(const Shape& shape, ActionId action, MoveKind kind, std::span<const Part> parts,
                     bool restructures) {
  Scope& scope = network_.scope;
  for (const Part& part : parts) {
    if (part.edge->update == kNoCode) continue;
    scope.parameters = part.parameters;
    scope.rounds = 0;
    network_.evaluate(part.edge->update);
  }
  restructures = restructures || (kind == MoveKind::kTermination && shape.slot_process.size() > 1);
  for (const Part& part : parts) {
    restructures = restructures || shape.slot_restructures[part.slot] ||
                   (part.target == kSkipLocal && shape.slot_in_sequel[part.slot]) ||
                   network_.is_composite(part.target);
  }
  if (restructures) {
    append_restructured(action, kind, parts);
    scope.undo();
    return;
  }
  std::uint64_t* words = new_record(action);
  std::copy(record_, record_ + layout_.words(), words);
  for (const Part& part : parts) {
    if (!layout_.set_local(words, state_.shape, part.slot, part.target)) reject_local(part.slot, part.target);
  }
  for (const auto& [slot, before] : scope.written) {
    const auto variable = static_cast<std::size_t>(slot);
    if (!layout_.set_value(words, state_.shape, variable, scope.shared[slot])) {
      reject_value(variable, scope.shared[slot]);
    }
  }
  scope.undo();
}

void Stepper::append_restructured(ActionId action, MoveKind kind, std::span<const Part> parts) {
  move_parts_.clear();
  for (const Part& part : parts) move_parts_.push_back(MovePart{part.slot, part.target});
  const Rewrite rewrite = network_.rewrite(state_.shape, state_.locals, kind, move_parts_, state_.values);
  Unpacked next;
  next.shape = rewrite.shape;
  next.values = state_.values;
  for (const Rewrite::From& from : rewrite.slots) {
    next.locals.push_back(from.is_slot ? state_.locals[from.number] : from.number);
  }
  if (!layout_.fits(next)) {
    misfit_ = Misfit{Misfit::What::kConfiguration, next.shape, 0, 0, std::move(next)};
    throw DoesNotFit{};
  }
  layout_.pack(next, new_record(action));
}

}  // namespace fairlead
