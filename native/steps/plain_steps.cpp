#include "steps/plain_steps.hpp"

#include <algorithm>

namespace fairlead {

PlainSteps::Outcome PlainSteps::expand(const std::uint64_t* record, ShapeId shape, SuccessorBuffer& out, bool before) {
  if (!network_.shape(shape).flat || (!before && shapes_.is_declined(shape))) return Outcome::kDeclined;
  Table& table = this->table(shape);
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
  bool all_can_end = true;
  for (const Local* local : locals_) {
    all_can_end = all_can_end && local->can_end;
    if (local->ambiguous) distinct_ = false;
  }
  if (all_can_end) return Outcome::kDeclined;
  const std::size_t first = out.size();
  try {
    return expand_slots(table) ? Outcome::kDone : Outcome::kUnfit;
  } catch (const NotPlain&) {
    scope_.undo();
    out.truncate(first, stride_);
    shapes_.decline(shape);
    return Outcome::kDeclined;
  } catch (const ModelFault&) {
    // of several faults the first one in the text is told: the general way meets them in that order
    scope_.undo();
    out.truncate(first, stride_);
    return Outcome::kDeclined;
  } catch (...) {
    scope_.undo();
    throw;
  }
}

bool PlainSteps::expand_slots(Table& table) {
  senders_.clear();
  receivers_.clear();
  for (std::uint32_t slot = 0; slot < locals_.size(); ++slot) {
    const Local& local = *locals_[slot];
    const std::size_t first = out_->size();
    if (local.single_count != 0 && !singles(table, slot)) return false;
    if (local.memo_count != 0) {
      if (!own_steps(table, slot)) return false;
      if (distinct_) distinct_ = are_different(first);
    }
    if (local.led_count != 0 && !joints(table, slot)) return false;
    if (local.sends != 0) senders_.push_back(slot);
    if (local.receives != 0) receivers_.push_back(slot);
  }
  return senders_.empty() || receivers_.empty() || handshakes(table);
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

PlainSteps::Table& PlainSteps::table(ShapeId shape) {
  if (tables_.size() <= shape) tables_.resize(shape + 1);
  if (!tables_[shape]) {
    auto table = std::make_unique<Table>();
    fill(*table, network_.shape(shape));  // which may be given up while tables are frozen: half a table must not stay
    tables_[shape] = std::move(table);
  }
  return *tables_[shape];
}

void PlainSteps::fill(Table& table, const Shape& shape) {
  table.slots.resize(shape.slot_process.size());
  std::vector<ProcessId> owners = shape.slot_process;
  std::sort(owners.begin(), owners.end());
  table.distinct = std::adjacent_find(owners.begin(), owners.end()) == owners.end();
  const ShapeNode& top = shape.nodes[shape.top];
  if (!top.synchronises) return;
  // who has few shared events offers few at a time: that one leads
  std::vector<std::uint32_t> shared(table.slots.size(), 0);
  const auto slot_of = [&](std::uint32_t child) { return shape.nodes[top.children[child]].slot; };
  for (const auto& [label, partners] : top.events) {
    for (const std::uint32_t child : partners) ++shared[slot_of(child)];
  }
  for (const auto& [label, partners] : top.events) {
    Event event{kNone, kNone, {}};
    std::vector<ProcessId> processes;
    for (const std::uint32_t child : partners) {
      const std::uint32_t slot = slot_of(child);
      processes.push_back(shape.slot_process[slot]);
      if (event.leader == kNone) {
        event.leader = slot;
      } else if (shared[slot] < shared[event.leader]) {
        event.others.push_back(event.leader);
        event.leader = slot;
      } else {
        event.others.push_back(slot);
      }
    }
    std::sort(event.others.begin(), event.others.end());
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    event.action = network_.labels.action(label, processes);
    table.event_of.emplace(label, static_cast<std::uint32_t>(table.events.size()));
    table.events.push_back(std::move(event));
  }
}

bool PlainSteps::look(Table& table, ShapeId shape, const std::uint64_t* record) {
  if (table.version != layout_.version()) rebind(table, shape);
  locals_.resize(table.slots.size());
  for (std::uint32_t slot = 0; slot < table.slots.size(); ++slot) {
    const Slot& own = table.slots[slot];
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
  table.tests.bind(layout_, shape);
  for (Move& move : table.moves) move.first_change = kNone;
  table.changes.clear();
  for (StepMemo& memo : table.memos) {
    const std::size_t before = memo.bytes();
    memo.bind(layout_, shape);
    recharge(memo, before);
  }
  table.version = layout_.version();
}

// Everything that the local state with a number does in its slot; false if not all of it is plain.
bool PlainSteps::learn(Table& table, ShapeId shape, std::uint32_t slot, std::uint32_t number) {
  const LocalState state = network_.local(layout_.local(shape, slot, number));
  std::optional<SortedEdges> edges = sort_edges(table, shape, slot, number, state);
  if (!edges) return false;
  std::size_t tests = 0;
  for (Move& move : edges->single) {
    if (move.guard == kNoCode) continue;
    const TestChain chain = *TestChain::of(network_.code(move.guard));
    tests += chain.tests.size();
    move.test = table.tests.add(chain);
  }
  table.tests.bind(layout_, shape);
  const std::size_t moves = edges->single.size() + edges->shared.size();
  const std::uint64_t bytes = sizeof(Local) + moves * (sizeof(Move) + sizeof(Offer) + 4) + tests * BoundTests::kBytes +
                              edges->single.size() * sizeof(WordChange);
  charge(2 * bytes);  // vectors grow by doubling
  Local local;
  local.known = true;
  local.can_end = edges->can_end;
  local.ambiguous = edges->are_ambiguous();
  local.number = number;
  add_memos(table, local, state, edges->remembered);
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

std::optional<PlainSteps::SortedEdges> PlainSteps::sort_edges(const Table& table, ShapeId shape_id, std::uint32_t slot,
                                                              std::uint32_t number, const LocalState& state) {
  if (state.counted) return std::nullopt;
  const Shape& shape = network_.shape(shape_id);
  const ShapeNode& top = shape.nodes[shape.top];
  SortedEdges found;
  for (std::uint32_t i = 0; i < state.edge_count; ++i) {
    LocalEdge& edge = state.edges[i];
    if (edge.never_enabled) continue;
    if (edge.kind == MoveKind::kTermination) {
      if (shape.slot_process.size() == 1) return std::nullopt;
      found.can_end = found.can_end || !top.ends;
      continue;
    }
    if (edge.kind >= MoveKind::kSend) {
      if (shape.has_priorities || number >= kMostMeeting) return std::nullopt;
      const std::optional<Half> half = half_of(state, i);
      if (!half) return std::nullopt;
      found.halves.push_back(*half);
      continue;
    }
    if (edge.target != kNone && network_.is_composite(edge.target)) return std::nullopt;
    const bool is_shared = top.synchronises && edge.kind == MoveKind::kEvent && edge.edge->synchronises;
    const bool is_code = runs_code(edge);
    // what a step without priority does must not be tried, since it may fail; nor is it known what an ERROR stores, or
    // who takes part in an event that may be any
    if (is_code && (shape.has_priorities || edge.target == kErrorLocal || (is_shared && edge.label == kNone))) {
      return std::nullopt;
    }
    const std::uint32_t flip = edge.target == kErrorLocal ? kToError : kUnknownFlip;
    Move move{edge.target, flip, kNone, edge.first_store, edge.store_count, edge.guard};
    const auto event = is_shared ? table.event_of.find(edge.label) : table.event_of.end();
    if (event != table.event_of.end()) {
      if (is_code || edge.guard != kNoCode) return std::nullopt;
      found.share(event->second, table.events[event->second], slot, move);
    } else if (is_code) {
      found.remembered.push_back(i);
    } else {
      move.action = network_.action(edge, shape.slot_process[slot], scope_);
      if (std::ranges::find(found.single, move) == found.single.end()) found.single.push_back(move);
    }
  }
  std::ranges::stable_sort(found.shared, {}, &std::pair<std::uint32_t, Move>::first);
  return found;
}

void PlainSteps::SortedEdges::share(std::uint32_t number, const Event& event, std::uint32_t slot, const Move& move) {
  // an event of others that this one does not have in its alphabet cannot happen here
  const bool takes_part = event.leader == slot || std::ranges::binary_search(event.others, slot);
  const std::pair offered{number, move};
  if (takes_part && std::ranges::find(shared, offered) == shared.end()) shared.push_back(offered);
  if (event.leader == slot && std::ranges::find(led, number) == led.end()) led.push_back(number);
}

bool PlainSteps::SortedEdges::are_ambiguous() const {
  for (std::size_t i = 0; i < single.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (single[i].action == single[j].action && single[i].target == single[j].target) return true;
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
  if (move.flip == kToError) {
    parts_.assign(1, Part{slot, number});
    return emit(table, move.action);
  }
  if (move.flip == kUnknownFlip && !find_flip(table, Part{slot, number})) return false;
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
    put(layout_.value_field(shape_, number), static_cast<std::uint64_t>(value - layout_.value_base(number)));
  }
  move.first_change = static_cast<std::uint32_t>(first);
  move.change_count = static_cast<std::uint32_t>(table.changes.size() - first);
  return true;
}

void PlainSteps::see_values() {
  if (has_values_) return;
  layout_.unpack_values(record_, shape_, values_);
  scope_.shared = values_.data();
  has_values_ = true;
}

// ---------------------------------------------------------------- steps of several

const PlainSteps::Offer* PlainSteps::offer_of(const Table& table, const Local& local, std::uint32_t event) {
  const Offer* first = table.offers.data() + local.first_offer;
  const Offer* last = first + local.offer_count;
  if (local.offer_count > 8) {
    first = std::lower_bound(first, last, event, [](const Offer& offer, std::uint32_t e) { return offer.event < e; });
    return first != last && first->event == event ? first : nullptr;
  }
  for (; first != last; ++first) {
    if (first->event == event) return first;
  }
  return nullptr;
}

// The events that a slot leads, if all others can take part.
bool PlainSteps::joints(Table& table, std::uint32_t slot) {
  const Local& local = *locals_[slot];
  for (std::uint32_t i = local.first_led; i < local.first_led + local.led_count; ++i) {
    const Offer& offer = table.offers[table.led[i]];
    const Event& event = table.events[offer.event];
    met_.clear();
    for (const std::uint32_t other : event.others) {
      const Offer* found = offer_of(table, *locals_[other], offer.event);
      if (found == nullptr) break;
      met_.push_back(found);
    }
    if (met_.size() == event.others.size() && !joint(table, event, offer)) return false;
  }
  return true;
}

// The steps of an event whose partners all can; what the others offer is in met_.
bool PlainSteps::joint(Table& table, const Event& event, const Offer& leading) {
  const auto is_simple = [&](const Offer& offer) {
    const Move& move = table.moves[offer.first_move];
    return offer.move_count == 1 && move.flip < kLeastSpecial && move.store_count == 0;
  };
  bool simple = is_simple(leading);
  for (const Offer* offer : met_) simple = simple && is_simple(*offer);
  if (!simple) return combinations(table, event, leading);
  std::uint64_t* words = new_record(event.action);
  const auto flip = [&](std::uint32_t slot, const Offer& offer) {
    const Field field = table.slots[slot].field;
    words[field.word] ^= std::uint64_t{table.moves[offer.first_move].flip} << field.shift;
  };
  flip(event.leader, leading);
  for (std::size_t k = 0; k < met_.size(); ++k) flip(event.others[k], *met_[k]);
  return true;
}

// Every choice of one move of each partner; those of the others are in met_.
bool PlainSteps::combinations(Table& table, const Event& event, const Offer& leading) {
  met_.insert(met_.begin(), &leading);
  chosen_.assign(met_.size(), 0);
  for (;;) {
    parts_.clear();
    for (std::size_t k = 0; k < met_.size(); ++k) {
      parts_.push_back(Part{k == 0 ? event.leader : event.others[k - 1], met_[k]->first_move + chosen_[k]});
    }
    if (!emit(table, event.action)) return false;
    std::size_t digit = met_.size();
    while (digit-- > 0) {
      if (++chosen_[digit] < met_[digit]->move_count) break;
      chosen_[digit] = 0;
    }
    if (digit == static_cast<std::size_t>(-1)) return true;
  }
}

// ---------------------------------------------------------------- successors

bool PlainSteps::emit(Table& table, ActionId action) {
  std::uint32_t failed = kNone;  // the first slot that goes to ERROR
  bool stores = false;
  for (const Part& part : parts_) {
    stores = stores || table.moves[part.move].store_count != 0;
    if (table.moves[part.move].flip < kLeastSpecial) continue;
    if (!find_flip(table, part)) return false;
    if (table.moves[part.move].flip == kToError) failed = std::min(failed, part.slot);
  }
  // what different steps store may be the same, and so may be what remains after an ERROR
  if (stores || failed != kNone) distinct_ = false;
  if (stores) std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.slot < b.slot; });
  if (failed != kNone) return emit_error(table, action, failed);
  std::uint64_t* words = new_record(action);
  for (const Part& part : parts_) {
    const Field& field = table.slots[part.slot].field;
    words[field.word] ^= std::uint64_t{table.moves[part.move].flip} << field.shift;
  }
  if (!stores) return true;
  return std::all_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return store(table.moves[part.move], words); });
}

// Finds out which bits a move flips; false if its target has no number in the slot yet.
bool PlainSteps::find_flip(Table& table, const Part& part) {
  Move& move = table.moves[part.move];
  if (move.flip == kToError) return true;
  const std::uint32_t number = layout_.local_number(shape_, part.slot, move.target);
  if (number == kNone) {
    misfit_ = Misfit{Misfit::What::kLocal, shape_, part.slot, move.target, {}};
    return false;
  }
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
  if (layout_.set_value(words, shape_, variable, value)) return true;
  reject_value(variable, value);
  return false;
}

void PlainSteps::reject_value(std::size_t variable, std::int32_t value) {
  layout_.unpack(record_, unpacked_);
  misfit_ = value_misfit(unpacked_, variable, value, scope_.filled);
}

bool PlainSteps::emit_error(const Table& table, ActionId action, std::uint32_t slot) {
  layout_.unpack(record_, unpacked_);
  for (const Part& part : parts_) {
    const Move& move = table.moves[part.move];
    for (const auto& [variable, value] : network_.stores(move.first_store, move.store_count)) {
      unpacked_.values[static_cast<std::size_t>(variable)] = value;
    }
  }
  unpacked_.shape = network_.error_shape(shape_, slot, unpacked_.locals, unpacked_.values);
  unpacked_.locals.assign(1, kErrorLocal);
  if (!layout_.fits(unpacked_)) {
    misfit_ = Misfit{Misfit::What::kConfiguration, unpacked_.shape, 0, 0, unpacked_};
    return false;
  }
  out_->errors.push_back(out_->size());
  layout_.pack(unpacked_, new_record(action));
  return true;
}

}  // namespace fairlead
