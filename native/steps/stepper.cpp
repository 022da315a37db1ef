#include "steps/stepper.hpp"

#include <algorithm>

#include "program/specialise.hpp"

namespace fairlead {

namespace {
struct DoesNotFit {};

// Whether nothing can go wrong when the step is carried out, and it is a step of its own.
bool is_plain(const LocalEdge& edge) {
  return edge.kind <= MoveKind::kInternal && (edge.update == kNoCode || edge.stores_constants);
}
}  // namespace

bool Stepper::holds(CodeId condition, const std::uint64_t* record) {
  if (const auto& chain = chain_of(condition)) return chain->holds(layout_, record);
  layout_.unpack_values(record, state_.values);
  return holds(condition);
}

const std::optional<TestChain>& Stepper::chain_of(CodeId condition) {
  const auto known = std::ranges::find(chains_, condition, &decltype(chains_)::value_type::first);
  if (known != chains_.end()) return known->second;
  return chains_.emplace_back(condition, TestChain::of(specialise(network_.code(condition), {}).data())).second;
}

bool Stepper::is_at_end() {
  if (network_.has_resting()) {
    const bool all_rest = std::ranges::all_of(state_.locals, [&](LocalId local) { return network_.rests(local); });
    return all_rest && (network_.resting_condition() == kNoCode || holds(network_.resting_condition()));
  }
  const std::vector<std::uint32_t>& ends = network_.shape(state_.shape).end_slots;
  return !ends.empty() && std::all_of(ends.begin(), ends.end(),
                                      [&](std::uint32_t slot) { return state_.locals[slot] == kTerminatedLocal; });
}

bool Stepper::expand(const std::uint64_t* record, Which which, SuccessorBuffer& out) {
  const std::size_t first = out.words.size();
  if (!expand_concretely(record, which, out)) return false;
  if (!representatives_) return true;
  distinct_ = false;  // different successors may have the same representative
  if (representatives_->replace(std::span(out.words).subspan(first), layout_.words())) return true;
  misfit_ = representatives_->misfit();
  return false;
}

bool Stepper::expand_concretely(const std::uint64_t* record, Which which, SuccessorBuffer& out) {
  record_ = record;
  out_ = &out;
  builder_.clear();
  has_places_ = false;
  root_ = kNone;
  const ShapeId number = layout_.shape_of(record);
  const Shape& shape = network_.shape(number);
  const std::size_t first = out.size();
  const auto declined = PlainSteps::Outcome::kDeclined;
  builder_.set_quiet(true);
  switch (which == Which::kGeneral ? declined : plain_.expand(record, number, out, which == Which::kPlain)) {
    case PlainSteps::Outcome::kDone:
      way_ = StepWay::kPlain;
      distinct_ = plain_.distinct();
      if (shape.has_priorities) apply_priorities(shape, first);
      return true;
    case PlainSteps::Outcome::kUnfit:
      misfit_ = plain_.misfit();
      return false;
    case PlainSteps::Outcome::kDeclined:
      break;
  }
  if (which == Which::kPlain) throw std::logic_error("steps that were plain are not");
  way_ = StepWay::kGeneral;
  distinct_ = false;
  builder_.set_quiet(false);
  unpack(record);
  scope_.shared = state_.values.data();
  scope_.rounds = 0;
  try {
    expand_unpacked(shape);
  } catch (const DoesNotFit&) {
    scope_.undo();
    placing_ = 0;
    return false;
  } catch (...) {
    scope_.undo();
    placing_ = 0;
    throw;
  }
  return true;
}

void Stepper::expand_unpacked(const Shape& shape) {
  messages_.clear();
  const auto is_tree = [&](LocalId content) { return network_.position_of(content) == kTreePosition; };
  if (!shape.flat || std::ranges::any_of(state_.locals, is_tree)) {
    expand_tree(shape);
    return;
  }
  const std::size_t first = out_->size();
  expand_flat(shape);
  if (shape.has_priorities) apply_priorities(shape, first);
}

// ---------------------------------------------------------------- leaves side by side

void Stepper::single(const Shape& shape, const Mover& mover, LocalEdge& edge, const LocalState& local) {
  const ActionId action = network_.action(edge, mover.process, scope_);
  const LocalId target = network_.target(edge, scope_);
  if ((edge.update == kNoCode || edge.stores_constants) && mover.member == kNone && target != kErrorLocal &&
      !network_.is_composite(target)) {
    append_simple(action, mover.leaf, target, edge);
    return;
  }
  const Part part(mover, target, edge, local);
  append({shape, action, edge.kind}, std::span<const Part>(&part, 1));
}

void Stepper::append_simple(ActionId action, std::uint32_t slot, LocalId target, const LocalEdge& edge) {
  std::uint64_t* words = new_record(action);
  for (std::size_t i = 0; i < layout_.words(); ++i) words[i] = record_[i];
  if (!layout_.place_local(words, state_.shape, slot, target)) reject_local(slot, target);
  for (const auto& [variable, value] : network_.stores(edge)) {
    const auto number = static_cast<std::size_t>(variable);
    if (!layout_.set_value(words, number, value)) reject_value(number, value);
  }
}

void Stepper::reject_local(std::size_t slot, LocalId target) {
  misfit_ = Misfit{Misfit::What::kLocal, state_.shape, slot, target, {}};
  throw DoesNotFit{};
}

void Stepper::reject_value(std::size_t variable, std::int64_t value) {
  misfit_ = value_misfit(state_, variable, static_cast<std::int32_t>(value), scope_.filled);
  throw DoesNotFit{};
}

void Stepper::expand_flat(const Shape& shape) {
  sends_.clear();
  receives_.clear();
  shared_.clear();
  const auto slots = static_cast<std::uint32_t>(shape.slot_process.size());
  const std::size_t first = out_->size();
  bool all_can_end = true;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    const LocalId number = state_.locals[slot];
    const LocalState local = network_.local(number);
    bool can_end = false;
    bool tried = true;
    if (local.counted) {
      for_each_member(slot, number, [&](const Mover& mover, const LocalState& own) {
        tried = tried && flat_edges(shape, mover, own, can_end);
      });
      can_end = can_end && network_.member_count(number) == 1;
    } else {
      tried = flat_edges(shape, Mover{slot, shape.slot_process[slot], local.parameters}, local, can_end);
    }
    if (!tried) {
      out_->truncate(first, layout_.words());
      messages_.clear();
      expand_tree(shape);
      return;
    }
    all_can_end = all_can_end && can_end;
  }
  if (!sends_.empty() && !receives_.empty()) flat_handshakes(shape);
  if (!shared_.empty()) flat_synchronised(shape);
  // termination is not an event: it is not hidden, whatever its label
  if (shape.hides) hide(state_.shape, first);
  if (all_can_end && (shape.composition() == nullptr || !shape.composition()->ends)) {
    find_moves(shape);
    for (const Move& move : moves_) {
      if (move.kind == MoveKind::kTermination) emit(shape, move);
    }
  }
}

bool Stepper::flat_edges(const Shape& shape, const Mover& mover, const LocalState& local, bool& can_end) {
  const Operator* composition = shape.composition();
  scope_.parameters = local.parameters;
  for (LocalEdge& edge : local.edge_span()) {
    if (!network_.enabled(edge, scope_)) continue;
    // what a step without priority does must not be tried, since it may fail
    if (shape.has_priorities && !is_plain(edge)) return false;
    const bool ends_with_others = shape.slot_process.size() > 1 || mover.member != kNone || shape.hides;
    if (edge.kind == MoveKind::kTermination && ends_with_others) {
      can_end = true;
      continue;
    }
    if (edge.kind >= MoveKind::kSend) {
      // evaluated even if there is no partner: what cannot be evaluated is a fault of the model
      FlatOffer half{Part(mover, kNone, edge, local), kNone, offer(edge)};
      if (edge.kind == MoveKind::kSend) half.part.target = network_.target(edge, scope_);
      (edge.kind == MoveKind::kSend ? sends_ : receives_).push_back(half);
      continue;
    }
    const bool may_be_shared = composition != nullptr && composition->synchronises;
    if (may_be_shared && edge.kind == MoveKind::kEvent && edge.edge->synchronises) {
      const LabelId label = network_.label(edge, kNone, scope_);
      if (composition->has(label)) {
        shared_.push_back(FlatOffer{Part(mover, network_.target(edge, scope_), edge, local), label, {}});
        continue;
      }
    }
    single(shape, mover, edge, local);
  }
  return true;
}

void Stepper::apply_priorities(const Shape& shape, std::size_t first) {
  const auto has_priority = [&](std::size_t i) {
    const LabelId label = network_.labels.label_of(out_->actions[i]);
    return label < shape.has_priority.size() && shape.has_priority[label] != 0;
  };
  const bool high = shape.nodes[0].kind == NodeKind::kHigh;
  bool decided = false;  // whether some step rules out those that are of the other kind
  for (std::size_t i = first; i < out_->size(); ++i) decided = decided || has_priority(i) == high;
  if (!decided) return;
  const std::size_t stride = layout_.words();
  std::size_t kept = first;
  const auto errors = std::lower_bound(out_->errors.begin(), out_->errors.end(), first);
  auto error = errors;
  auto kept_error = errors;
  for (std::size_t i = first; i < out_->size(); ++i) {
    const bool is_error = error != out_->errors.end() && *error == i;
    if (is_error) ++error;
    if (has_priority(i) != high) continue;
    if (is_error) *kept_error++ = kept;
    std::copy_n(out_->words.begin() + static_cast<std::ptrdiff_t>(i * stride), stride,
                out_->words.begin() + static_cast<std::ptrdiff_t>(kept * stride));
    out_->actions[kept++] = out_->actions[i];
  }
  out_->errors.erase(kept_error, out_->errors.end());
  out_->truncate(kept, stride);
}

void Stepper::hide(ShapeId shape, std::size_t first) {
  const Operator& hiding = *network_.shape(shape).nodes[0].op;
  Labels& labels = network_.labels;
  if (hidden_.size() <= shape) hidden_.resize(shape + std::size_t{1});
  std::vector<ActionId>& known = hidden_[shape];
  for (std::size_t i = first; i < out_->size(); ++i) {
    const ActionId action = out_->actions[i];
    if (known.size() <= action) known.resize(action + std::size_t{1}, kNone);
    if (known[action] == kNone) {
      const LabelId label = labels.label_of(action);
      known[action] =
          hiding.has(label) ? labels.relabelled(action, labels.hidden(label, labels.processes_of(action))) : action;
    }
    if (known[action] == action) continue;
    out_->actions[i] = known[action];
    distinct_ = false;  // what is hidden may be the same
  }
}

Stepper::Offer Stepper::offer(const LocalEdge& edge) {
  const Handshake& handshake = edge.edge->handshake;
  Offer found;
  found.fields = handshake.fields;
  if (edge.kind == MoveKind::kSend) {
    found.message = static_cast<std::uint32_t>(messages_.size());
    for (const CodeId value : handshake.values) messages_.push_back(network_.evaluate(value, scope_));
  }
  found.channel = handshake.channel + static_cast<std::uint32_t>(network_.evaluate(handshake.index, scope_));
  return found;
}

bool Stepper::receive(Part& part, const Offer& sent, const Offer& wanted) {
  if (sent.channel != wanted.channel || sent.fields != wanted.fields) return false;
  scope_.parameters = part.parameters;
  scope_.received = messages_.data() + sent.message;
  const CodeId accepts = part.edge->edge->handshake.accepts;
  if (accepts != kNoCode && network_.evaluate(accepts, scope_) == 0) return false;
  part.target = network_.target(*part.edge, scope_);
  part.message = sent.message;
  return true;
}

void Stepper::flat_handshakes(const Shape& shape) {
  for (FlatOffer& sent : sends_) {
    LabelId label = kNone;
    for (FlatOffer& wanted : receives_) {
      if (wanted.part.leaf == sent.part.leaf && !are_two(sent.part, wanted.part)) continue;
      if (!receive(wanted.part, sent.offer, wanted.offer)) continue;
      if (label == kNone) {
        scope_.parameters = sent.part.parameters;
        label = network_.label(*sent.part.edge, kNone, scope_);
      }
      parts_.assign({sent.part, wanted.part});
      emit_flat(shape, label);
    }
  }
}

// Every label for which each component that has it offers a step: all combinations of their steps.
void Stepper::flat_synchronised(const Shape& shape) {
  const ShapeNode& top = shape.nodes[shape.top];
  for (std::size_t first = 0; first < shared_.size(); ++first) {
    const LabelId label = shared_[first].label;
    const std::vector<std::uint32_t>& partners = top.op->events.at(label);
    // the step is found once, from the first offer of the first partner
    if (shape.nodes[top.children[partners[0]]].slot != shared_[first].part.leaf) continue;
    bool is_first = true;
    for (std::size_t before = first; before-- > 0 && shared_[before].part.leaf == shared_[first].part.leaf;) {
      is_first = is_first && shared_[before].label != label;
    }
    if (!is_first) continue;
    joint_.clear();
    offers_of_.clear();
    for (const std::uint32_t partner : partners) {
      const std::uint32_t slot = shape.nodes[top.children[partner]].slot;
      offers_of_.push_back(static_cast<std::uint32_t>(joint_.size()));
      for (std::size_t i = first; i < shared_.size(); ++i) {
        if (shared_[i].part.leaf == slot && shared_[i].label == label) {
          joint_.push_back(static_cast<std::uint32_t>(i));
        }
      }
      if (joint_.size() == offers_of_.back()) break;  // one of them cannot
    }
    if (offers_of_.size() < partners.size() || joint_.size() == offers_of_.back()) continue;
    emit_combinations(shape, label, partners.size());
  }
}

// joint_ holds the offers of each partner, one after the other; offers_of_ where those of each begin.
void Stepper::emit_combinations(const Shape& shape, LabelId label, std::size_t partners) {
  chosen_.assign(offers_of_.begin(), offers_of_.end());
  for (;;) {
    parts_.clear();
    for (const std::uint32_t choice : chosen_) parts_.push_back(shared_[joint_[choice]].part);
    emit_flat(shape, label);
    std::size_t digit = partners;
    while (digit-- > 0) {
      const std::size_t end = digit + 1 < partners ? offers_of_[digit + 1] : joint_.size();
      if (++chosen_[digit] < end) break;
      chosen_[digit] = offers_of_[digit];
    }
    if (digit == static_cast<std::size_t>(-1)) return;
  }
}

void Stepper::emit_flat(const Shape& shape, LabelId label) {
  gather_processes(parts_);
  append({shape, network_.labels.action(label, processes_), MoveKind::kEvent}, parts_);
}

void Stepper::gather_processes(std::span<const Part> parts) {
  processes_.clear();
  for (const Part& part : parts) processes_.push_back(part.process);
  std::sort(processes_.begin(), processes_.end());
  processes_.erase(std::unique(processes_.begin(), processes_.end()), processes_.end());
}

// ---------------------------------------------------------------- successors

std::uint64_t* Stepper::new_record(ActionId action) {
  const std::size_t stride = layout_.words();
  const std::size_t at = out_->words.size();
  out_->words.resize(at + stride);
  out_->actions.push_back(action);
  return out_->words.data() + at;
}

void Stepper::append(const Setting& setting, std::span<const Part> parts) {
  for (const Part& part : parts) {
    if (part.edge->update == kNoCode) continue;
    scope_.parameters = part.parameters;
    if (part.message != kNone) scope_.received = messages_.data() + part.message;
    scope_.rounds = 0;
    network_.evaluate(part.edge->update, scope_);
  }
  move_parts_.clear();
  bool counted = false;
  for (const Part& part : parts) {
    if (part.member == kNone) {
      move_parts_.push_back(MovePart{part.leaf, part.target});
    } else {
      counted = true;
    }
  }
  if (counted) {
    Setting with_moves = setting;
    with_moves.action = this->with_moves(setting.action, parts);
    place_counted(with_moves, parts, 0);
  } else {
    place(setting);
  }
  scope_.undo();
}

void Stepper::place(const Setting& setting) {
  const auto is_leaf = [&](LocalId content) {
    const std::uint32_t position = network_.position_of(content);
    return position != kTreePosition && position != kCountedPosition;
  };
  const bool is_one_leaf = setting.shape.nodes.size() == 1 && is_leaf(state_.locals[0]);
  const bool terminates = setting.kind == MoveKind::kTermination && !is_one_leaf;
  if (!setting.restructures && !terminates && place_in_slots(setting)) return;
  if (terminates) {
    next_.values = state_.values;
    builder_.unfold(builder_.leaf(kTerminatedLocal, network_.main()), next_);
    append_next(setting.action);
  } else {
    place_anew(setting);
  }
}

bool Stepper::place_in_slots(const Setting& setting) {
  placed_.clear();
  for (std::size_t part = 0; part < move_parts_.size(); ++part) {
    if (!find_placed(setting, part)) return false;
  }
  std::uint64_t* words = new_record(setting.action);
  std::copy(record_, record_ + layout_.words(), words);
  for (const Placed& placed : placed_) {
    if (!layout_.place_local(words, state_.shape, placed.slot, placed.local)) reject_local(placed.slot, placed.local);
  }
  for (const auto& [slot, before] : scope_.written) {
    const auto variable = static_cast<std::size_t>(slot);
    if (!layout_.set_value(words, variable, scope_.shared[slot])) reject_value(variable, scope_.shared[slot]);
  }
  return true;
}

bool Stepper::find_placed(const Setting& setting, std::size_t part) {
  const Shape& shape = setting.shape;
  const std::uint32_t slot = slot_of(move_parts_[part].leaf);
  const LocalId target = move_parts_[part].target;
  const LocalId content = state_.locals[slot];
  if (shape.slot_is_free[slot] == 0 || target == kErrorLocal) return false;
  TreeBuilder::Ref after = 0;
  if (network_.position_of(content) == kTreePosition) {
    if (std::ranges::find(placed_, slot, &Placed::slot) != placed_.end()) return true;  // all parts in it at once
    const TreePlace& place = slot_places_[slot];
    after = builder_.rewrite(builder_.in_slot(content, kNone), tree_step(setting), place.leaf, place.node);
  } else if (network_.is_composite(target)) {
    after = builder_.enter(target, shape.slot_process[slot], state_.values);
  } else {
    placed_.push_back({slot, target});
    return true;
  }
  const TreeInfo& info = builder_.info(after);
  if (info.unfolds || info.has_error || info.owner != shape.slot_process[slot]) return false;
  network_.check_nesting(info.depth + shape.slot_depth[slot] - std::size_t{1});
  placed_.push_back({slot, builder_.folded(after)});
  return true;
}

void Stepper::place_anew(const Setting& setting) {
  if (root_ == kNone) root_ = builder_.load(setting.shape, state_.locals);
  const TreeBuilder::Ref after = builder_.with_errors_collapsed(builder_.rewrite(root_, tree_step(setting)));
  network_.check_nesting(builder_.info(after).depth);
  next_.values = state_.values;
  builder_.unfold(after, next_);
  append_next(setting.action);
}

void Stepper::append_next(ActionId action) {
  if (!layout_.fits(next_) && !(tables_may_grow() && layout_.admit_in_place(next_))) {
    misfit_ = Misfit{Misfit::What::kConfiguration, next_.shape, 0, 0, next_};
    throw DoesNotFit{};
  }
  if (next_.locals.size() == 1 && next_.locals[0] == kErrorLocal) out_->errors.push_back(out_->size());
  layout_.pack(next_, new_record(action));
}

}  // namespace fairlead
