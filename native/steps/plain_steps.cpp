#include "steps/plain_steps.hpp"

#include <algorithm>

namespace fairlead {

PlainSteps::Outcome PlainSteps::expand(const std::uint64_t* record, ShapeId shape, SuccessorBuffer& out, bool before) {
  if (!before && shapes_.is_declined(shape)) return Outcome::kDeclined;
  Table& table = this->table(shape);
  if (!table.skeleton.is_plain()) return Outcome::kDeclined;
  record_ = record;
  shape_ = shape;
  out_ = &out;
  stride_ = layout_.words();
  distinct_ = table.distinct;
  has_values_ = false;
  if (!look(table, shape, record)) {
    shapes_.decline(shape);
    return Outcome::kDeclined;
  }
  unsigned traits = 0;
  for (const Local* local : locals_) traits |= local->traits;
  if ((traits & kForeign) != 0) return Outcome::kDeclined;
  if ((traits & kAmbiguous) != 0) distinct_ = false;
  has_ended_ = (traits & kHasEnded) != 0;
  const std::size_t first = out.size();
  try {
    if ((traits & kIsAtomic) != 0) {
      if (!can_begin_with_atomic()) return Outcome::kDeclined;
      if (!expand_atomic(table)) return Outcome::kUnfit;
      if (out.size() != first) return Outcome::kDone;
    }
    endings_.clear();
    if ((traits & kCanEnd) != 0 && !find_endings(table)) return Outcome::kDeclined;
    return expand_slots(table) ? Outcome::kDone : Outcome::kUnfit;
  } catch (const ModelFault&) {
    return decline_state(first);
  } catch (const CompositionFault&) {
    return decline_state(first);
  } catch (...) {
    scope_.undo();
    throw;
  }
}

// Of several faults the first one in the text is reported: the general way meets them in that order.
PlainSteps::Outcome PlainSteps::decline_state(std::size_t first) {
  scope_.undo();
  out_->truncate(first, stride_);
  return Outcome::kDeclined;
}

bool PlainSteps::expand_slots(Table& table) {
  senders_.clear();
  receivers_.clear();
  std::size_t ending = 0;
  for (std::uint32_t slot = 0; slot < locals_.size(); ++slot) {
    const Local& local = *locals_[slot];
    if (!own_and_singles(table, slot)) return false;
    if (local.led_count != 0 && !joints(table, slot)) return false;
    if (local.sends != 0) senders_.push_back(slot);
    if (local.receives != 0) receivers_.push_back(slot);
    for (; ending != endings_.size() && endings_[ending].last_slot == slot; ++ending) {
      if (!end(table, endings_[ending])) return false;
    }
  }
  return senders_.empty() || receivers_.empty() || handshakes(table);
}

bool PlainSteps::own_and_singles(Table& table, std::uint32_t slot) {
  const Local& local = *locals_[slot];
  const std::size_t first = out_->size();
  if (local.single_count != 0 && !singles(table, slot)) return false;
  if (local.memo_count == 0) return true;
  if (!own_steps(table, slot)) return false;
  if (distinct_) distinct_ = are_different(first);
  return true;
}

bool PlainSteps::are_different(std::size_t first) const {
  constexpr std::size_t kFew = 12;
  const std::span<const ActionId> actions = std::span(out_->actions).subspan(first);
  if (actions.size() > kFew) return false;
  for (std::size_t i = 1; i < actions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (actions[i] == actions[j]) return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- tables

PlainSteps::Table& PlainSteps::table(ShapeId number) {
  if (tables_.size() <= number) tables_.resize(number + std::size_t{1});
  if (tables_[number]) return *tables_[number];
  const Shape& shape = network_.shape(number);
  auto table = std::make_unique<Table>(shape);
  const std::size_t slots = shape.slot_process.size();
  charge(sizeof(Table) + slots * 128);
  table->slots.resize(slots);
  std::vector<ProcessId> owners;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (table->skeleton.runs(slot)) owners.push_back(shape.slot_process[slot]);
  }
  std::ranges::sort(owners);
  table->distinct = std::ranges::adjacent_find(owners) == owners.end();
  // who has few shared events offers few at a time: that one leads
  table->shared_by.assign(slots, 0);
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (table->skeleton.runs(slot)) table->shared_by[slot] = table->skeleton.shared_count(slot);
  }
  tables_[number] = std::move(table);
  return *tables_[number];
}

bool PlainSteps::look(Table& table, ShapeId shape, const std::uint64_t* record) {
  if (table.version != layout_.version()) rebind(table, shape);
  locals_.resize(table.slots.size());
  for (std::uint32_t slot = 0; slot < table.slots.size(); ++slot) {
    const Slot& own = table.slots[slot];
    if (!table.skeleton.runs(slot)) {
      static const Local kWaits;
      locals_[slot] = &kWaits;
      continue;
    }
    const auto number = static_cast<std::uint32_t>(own.field.get(record));
    if (number >= own.locals.size() || !own.locals[number].known) {
      if (!learn(table, shape, slot, number)) return false;
    }
    locals_[slot] = &own.locals[number];
  }
  return true;
}

// The layout has changed.
void PlainSteps::rebind(Table& table, ShapeId shape) {
  for (std::uint32_t slot = 0; slot < table.slots.size(); ++slot) {
    table.slots[slot].field = layout_.slot_field(shape, slot);
  }
  table.tests.unbind();
  table.tests.bind(layout_);
  for (Move& move : table.moves) move.first_change = move.plan = kNone;
  for (auto& alternatives : table.end_steps) {
    for (EndStep& step : alternatives) step.plan = kNone;
  }
  table.plans.bind(layout_.words());
  recharge_plans(table);
  table.changes.clear();
  for (StepMemo& memo : table.memos) {
    const std::size_t before = memo.bytes();
    memo.bind(layout_);
    recharge(memo, before);
  }
  table.version = layout_.version();
}

// Everything that the local state with a number does in its slot; false if not all of it is plain.
bool PlainSteps::learn(Table& table, ShapeId shape, std::uint32_t slot, std::uint32_t number) {
  const Content content = content_of(layout_.local(shape, slot, number));
  std::optional<SortedEdges> edges = sort_edges(table, slot, number, content);
  if (!edges && network_.position_of(content.local) == kTreePosition) {
    std::vector<Local>& locals = table.slots[slot].locals;
    if (locals.size() <= number) locals.resize(number + std::size_t{1});
    locals[number].known = true;
    locals[number].traits = kForeign;
    return true;
  }
  if (!edges) return false;
  std::size_t tests = 0;
  for (Move& move : edges->single) {
    if (move.guard == kNoCode) continue;
    const TestChain chain = *TestChain::of(network_.code(move.guard));
    tests += chain.tests.size();
    move.test = table.tests.add(chain);
  }
  table.tests.bind(layout_);
  const std::size_t moves = edges->single.size() + edges->shared.size();
  const std::uint64_t bytes = sizeof(Local) + moves * (sizeof(Move) + sizeof(Offer) + 4) + tests * BoundTests::kBytes +
                              edges->single.size() * sizeof(WordChange);
  charge(2 * bytes);  // vectors grow by doubling
  Local local;
  local.known = true;
  if (edges->end_count != 0) local.traits |= kCanEnd;
  if (edges->are_ambiguous()) local.traits |= kAmbiguous;
  if (edges->is_atomic) local.traits |= kIsAtomic;
  if (content.local == kTerminatedLocal) local.traits |= kHasEnded;
  local.end_edge = edges->end_edge;
  local.number = number;
  add_memos(table, local, content, edges->remembered);
  add_halves(table, local, edges->halves);
  local.first_single = static_cast<std::uint32_t>(table.moves.size());
  local.single_count = static_cast<std::uint32_t>(edges->single.size());
  table.moves.insert(table.moves.end(), edges->single.begin(), edges->single.end());
  add_offers(table, local, *edges);
  std::vector<Local>& locals = table.slots[slot].locals;
  if (locals.size() <= number) locals.resize(number + 1);
  locals[number] = local;
  return true;
}

std::optional<PlainSteps::SortedEdges> PlainSteps::sort_edges(Table& table, std::uint32_t slot, std::uint32_t number,
                                                              const Content& content) {
  const Shape& shape = network_.shape(shape_);
  const bool is_tree = network_.position_of(content.local) == kTreePosition;
  if (network_.local(content.local).counted || (is_tree && !content.is_tree())) return std::nullopt;
  SortedEdges found;
  std::size_t atomic = 0;
  std::size_t others = 0;
  for (std::uint32_t i = 0; i < content.edges.size(); ++i) {
    const LocalEdge& edge = content.edges[i];
    if (edge.never_enabled) continue;
    if (content.is_tree() && content.tree->origins[i].process != shape.slot_process[slot]) return std::nullopt;
    ++(content.is_tree() && content.tree->origins[i].is_atomic ? atomic : others);
    if (edge.kind == MoveKind::kTermination) {
      const bool is_plain = edge.guard == kNoCode && edge.update == kNoCode && edge.target == kTerminatedLocal;
      found.end_edge = ++found.end_count == 1 && is_plain ? i : kNone;
    } else if (edge.kind >= MoveKind::kSend) {
      if (!shape.flat || shape.has_priorities || number >= kMostMeeting) return std::nullopt;
      const std::optional<Half> half = half_of(content, i);
      if (!half) return std::nullopt;
      found.halves.push_back(*half);
    } else if (!sort_edge(table, slot, content, i, found)) {
      return std::nullopt;
    }
  }
  std::ranges::stable_sort(found.shared, {}, &std::pair<std::uint32_t, Move>::first);
  found.is_atomic = atomic != 0;
  const bool is_alone = found.end_count == 0 && found.shared.empty() && found.halves.empty();
  if (found.is_atomic && (others != 0 || !is_alone)) return std::nullopt;
  return found;
}

bool PlainSteps::sort_edge(Table& table, std::uint32_t slot, const Content& content, std::uint32_t number,
                           SortedEdges& found) {
  LocalEdge& edge = content.edges[number];
  const Shape& shape = network_.shape(shape_);
  const bool is_event = edge.kind == MoveKind::kEvent;
  const bool may_be_shared = is_event && edge.edge->synchronises && table.skeleton.may_share(slot);
  const bool is_code = runs_code(edge);
  // what a step without priority does must not be tried, since it may fail; nor is it known who takes part in an event
  // that may be any, or whether that makes a choice
  const bool may_be_any = is_event && edge.label == kNone;
  if (is_code && shape.has_priorities) return false;
  if (may_be_any && (may_be_shared || table.skeleton.is_handler(slot))) return false;
  Resolution resolution;
  if (is_event && !may_be_any) resolution = table.skeleton.resolve(slot, edge.label, edge.edge->synchronises);
  if (!resolution.known) return false;
  if (resolution.blocked) return true;
  const std::uint32_t leaf = content.is_tree() ? content.tree->origins[number].leaf : 0;
  Move move{number, leaf, edge.target, kUnknownFlip, kNone, edge.first_store, edge.store_count, edge.guard};
  if (resolution.interrupts) move.flip = kAnew;
  if (resolution.node != kNone) {
    if (is_code || edge.guard != kNoCode) return false;
    const std::uint32_t event = event_number(table, resolution, edge.label);
    if (event == kNone) return false;
    found.share(event, table.events[event], slot, move);
  } else if (is_code) {
    if (resolution.interrupts) return false;
    found.remembered.push_back(number);
  } else {
    move.action = seen(table, slot, network_.action(edge, shape.slot_process[slot], scope_));
    found.add_single(move);
  }
  return true;
}

void PlainSteps::SortedEdges::share(std::uint32_t number, const Event& event, std::uint32_t slot, const Move& move) {
  const auto is_same = [&](const auto& offered) { return offered.first == number && offered.second.is_like(move); };
  if (std::ranges::none_of(shared, is_same)) shared.emplace_back(number, move);
  const bool leads = std::ranges::find(event.leaders, slot) != event.leaders.end();
  if (leads && std::ranges::find(led, number) == led.end()) led.push_back(number);
}

void PlainSteps::SortedEdges::add_single(const Move& move) {
  if (std::ranges::none_of(single, [&](const Move& other) { return other.is_like(move); })) single.push_back(move);
}

bool PlainSteps::SortedEdges::are_ambiguous() const {
  for (std::size_t i = 1; i < shared.size(); ++i) {
    // these are sorted by event: of a tree, two leaves may offer one event and lead to the same
    if (shared[i].first == shared[i - 1].first && shared[i].second.leaf != shared[i - 1].second.leaf) return true;
  }
  for (std::size_t i = 0; i < single.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      // what becomes of a tree may be the same, whichever of its leaves moves
      const bool may_be_same = single[i].leaf != single[j].leaf || single[i].target == single[j].target;
      if (single[i].action == single[j].action && may_be_same) return true;
    }
  }
  return false;
}

void PlainSteps::add_offers(Table& table, Local& local, const SortedEdges& edges) {
  local.first_offer = static_cast<std::uint32_t>(table.offers.size());
  for (const auto& [event, move] : edges.shared) {
    if (local.offer_count == 0 || table.offers.back().event != event) {
      table.offers.push_back(Offer{event, static_cast<std::uint32_t>(table.moves.size()), 0});
      ++local.offer_count;
    }
    ++table.offers.back().move_count;
    table.moves.push_back(move);
  }
  local.first_led = static_cast<std::uint32_t>(table.led.size());
  local.led_count = static_cast<std::uint32_t>(edges.led.size());
  for (const std::uint32_t event : edges.led) {
    std::uint32_t offer = local.first_offer;
    while (table.offers[offer].event != event) ++offer;
    table.led.push_back(offer);
  }
}

// ---------------------------------------------------------------- steps

bool PlainSteps::singles(Table& table, std::uint32_t slot) {
  const Local& local = *locals_[slot];
  const Field field = table.slots[slot].field;
  for (std::uint32_t i = local.first_single; i < local.first_single + local.single_count; ++i) {
    const Move& move = table.moves[i];
    if (!table.tests.holds(move.test, record_)) continue;
    if (move.flip < kLeastSpecial && move.store_count == 0) {
      new_record(move.action)[field.word] ^= std::uint64_t{move.flip} << field.shift;
    } else if (!single(table, slot, i)) {
      return false;
    }
  }
  return true;
}

// A step of one leaf that does more than to move on.
bool PlainSteps::single(Table& table, std::uint32_t slot, std::uint32_t number) {
  Move& move = table.moves[number];
  if (move.flip == kAnew) {
    parts_.assign(1, Part{slot, number});
    return emit(table, move.action);
  }
  if (move.flip == kUnknownFlip) {
    if (!find_flip(table, Part{slot, number})) return false;
    if (move.flip == kAnew) return single(table, slot, number);
  }
  if (move.first_change != kNone || find_changes(table, slot, move)) {
    std::uint64_t* words = new_record(move.action);
    for (std::uint32_t i = 0; i < move.change_count; ++i) {
      const WordChange& change = table.changes[move.first_change + i];
      words[change.word] = (words[change.word] & change.kept) | change.set;
    }
    return true;
  }
  const Field field = table.slots[slot].field;
  std::uint64_t* words = new_record(move.action);
  words[field.word] ^= std::uint64_t{move.flip} << field.shift;
  return store(move, words);
}

bool PlainSteps::find_changes(Table& table, std::uint32_t slot, Move& move) {
  const std::size_t first = table.changes.size();
  const auto put = [&](const Field& field, std::uint64_t value) { add_change(table.changes, first, field, value); };
  put(table.slots[slot].field, locals_[slot]->number ^ move.flip);
  for (const auto& [variable, value] : network_.stores(move.first_store, move.store_count)) {
    const auto number = static_cast<std::size_t>(variable);
    if (!layout_.has_room_for_value(number, value)) {
      table.changes.resize(first);
      return false;
    }
    put(layout_.value_field(number), static_cast<std::uint64_t>(value - layout_.value_base(number)));
  }
  move.first_change = static_cast<std::uint32_t>(first);
  move.change_count = static_cast<std::uint32_t>(table.changes.size() - first);
  return true;
}

void PlainSteps::see_values() {
  if (has_values_) return;
  layout_.unpack_values(record_, values_);
  scope_.shared = values_.data();
  has_values_ = true;
}

// ---------------------------------------------------------------- successors

bool PlainSteps::emit(Table& table, ActionId action) {
  bool stores = false;
  bool again = false;
  for (const Part& part : parts_) {
    stores = stores || table.moves[part.move].store_count != 0;
    if (table.moves[part.move].flip < kLeastSpecial) continue;
    if (!find_flip(table, part)) return false;
    again = again || table.moves[part.move].flip == kAnew;
  }
  // what different steps store may be the same, and so may be what they make of the whole
  if (stores || again) distinct_ = false;
  if (stores) std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.slot < b.slot; });
  if (again) return emit_anew(table, action);
  std::uint64_t* words = new_record(action);
  for (const Part& part : parts_) {
    const Field& field = table.slots[part.slot].field;
    words[field.word] ^= std::uint64_t{table.moves[part.move].flip} << field.shift;
  }
  if (!stores) return true;
  return std::all_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return store(table.moves[part.move], words); });
}

// Finds out which bits a move flips, if that is all; false if what it leads to has no number in the slot yet.
bool PlainSteps::find_flip(Table& table, const Part& part) {
  Move& move = table.moves[part.move];
  if (move.flip == kAnew) return true;
  see_values();
  const std::optional<LocalId> target = in_place({part.slot, move.edge, move.target});
  if (builder_.has_read() || !target) {
    move.flip = kAnew;
    return true;
  }
  const std::uint32_t number = number_in(part.slot, *target);
  if (number == kNone) return false;
  move.flip = number ^ locals_[part.slot]->number;
  return true;
}

bool PlainSteps::store(const Move& move, std::uint64_t* words) {
  for (const auto& [variable, value] : network_.stores(move.first_store, move.store_count)) {
    if (!set_value(words, static_cast<std::size_t>(variable), value)) return false;
  }
  return true;
}

bool PlainSteps::set_value(std::uint64_t* words, std::size_t variable, std::int32_t value) {
  if (layout_.set_value(words, variable, value)) return true;
  reject_value(variable, value);
  return false;
}

void PlainSteps::reject_value(std::size_t variable, std::int32_t value) {
  layout_.unpack(record_, unpacked_);
  misfit_ = value_misfit(unpacked_, variable, value, scope_.filled);
}

}  // namespace fairlead
