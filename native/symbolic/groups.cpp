#include "symbolic/groups.hpp"

#include <algorithm>

#include "program/specialise.hpp"
#include "program/tree_builder.hpp"

namespace fairlead {

// ---------------------------------------------------------------- the beginning

void Groups::begin(const Unpacked& initial) {
  shape_ = initial.shape;
  state_ = initial;
  slots_ = static_cast<std::uint32_t>(initial.locals.size());
  const Shape& shape = network_.shape(shape_);
  if (!shape.flat) throw NotEncodable{"its processes are not side by side in one composition"};
  if (shape.has_priorities) throw NotEncodable{"priorities look at all processes at once"};
  if (shape.hides && slots_ == 1) throw NotEncodable{"its only process is hidden"};
  if (item_count() >= kMostLevels) throw NotEncodable{"a state has too many parts"};
  if (std::ranges::any_of(initial.locals, [&](LocalId local) { return is_unfit(local); })) {
    throw NotEncodable{"a process is a composition"};
  }
  met_.resize(slots_);
  ends_.resize(slots_);
}

bool Groups::is_unfit(LocalId local) {
  if (local == kErrorLocal || network_.position_of(local) == kTreePosition) return true;
  const LocalState state = network_.local(local);
  return state.counted || state.composite;
}

std::vector<std::vector<std::uint32_t>> Groups::related_items() const {
  std::vector<std::vector<std::uint32_t>> found;
  for (const Group& group : groups_) {
    std::vector<std::uint32_t> items;
    NumberSet variables = group.reads;
    variables.unite(group.writes);
    variables.for_each([&](std::size_t variable) { items.push_back(static_cast<std::uint32_t>(variable)); });
    for (const std::uint32_t slot : group.slots) items.push_back(static_cast<std::uint32_t>(slot_item(slot)));
    found.push_back(std::move(items));
  }
  return found;
}

void Groups::set_order(std::vector<std::uint32_t> order) {
  order_ = std::move(order);
  level_of_.resize(order_.size());
  for (std::uint32_t level = 0; level < order_.size(); ++level) level_of_[order_[level]] = level;
  prepare();
  finish_events();
  finish_end();
}

// ---------------------------------------------------------------- local states and their edges

bool Groups::meet_locals(Diagram states) {
  bool any = false;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    std::vector<std::uint32_t> items{static_cast<std::uint32_t>(slot_item(slot))};
    const Footing footing = reading(items);
    const Diagram here = diagrams_.project(states, footing, 0);
    std::vector<LocalId> locals;
    diagrams_.for_each(here, 1, [&](std::span<const std::uint32_t> vector) { locals.push_back(vector[0]); });
    for (const LocalId local : locals) any = meet(slot, local) || any;
  }
  if (!any) return false;
  prepare();
  finish_events();
  finish_end();
  return true;
}

bool Groups::meet_locals(const Unpacked& state) {
  bool any = false;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) any = meet(slot, state.locals[slot]) || any;
  if (!any) return false;
  finish_events();
  finish_end();
  return true;
}

bool Groups::meet(std::uint32_t slot, LocalId local) {
  if (met_[slot].contains(local)) return false;
  if (is_unfit(local)) throw NotEncodable{"a process becomes a composition"};
  met_[slot].try_emplace(local);
  const LocalState state = network_.local(local);
  for (std::uint32_t i = 0; i < state.edge_count; ++i) meet_edge(slot, local, state, i, met_[slot][local]);
  return true;
}

void Groups::meet_edge(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t number, Met& met) {
  const LocalEdge& edge = state.edges[number];
  if (edge.never_enabled) return;
  const Shape& shape = network_.shape(shape_);
  const Operator* composition = shape.composition();
  switch (edge.kind) {
    case MoveKind::kTermination:
      if (slots_ > 1) {
        meet_end(slot, local, edge);
        return;
      }
      break;
    case MoveKind::kSend:
    case MoveKind::kReceive:
      meet_half(slot, local, state, number, met);
      return;
    case MoveKind::kEvent:
      if (composition == nullptr || !composition->synchronises || !edge.edge->synchronises) break;
      if (edge.label == kNone) throw NotEncodable{"which event processes share depends on variables"};
      if (!composition->has(edge.label)) break;
      meet_offer(slot, local, state, number, met);
      return;
    case MoveKind::kInternal:
      break;
  }
  meet_own(slot, local, state, number, met, false);
}

void Groups::meet_own(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t number, Met& met,
                      bool probes) {
  NumberSet reads;
  NumberSet writes;
  add_edge_code(reads, writes, state, state.edges[number]);
  const auto [entry, is_new] = own_groups_.try_emplace({{slot, probes}, {reads, writes}}, 0);
  if (is_new) {
    Group group;
    group.kind = probes ? Group::Kind::kProbe : Group::Kind::kOwn;
    group.slots = {slot};
    group.reads = std::move(reads);
    group.writes = std::move(writes);
    entry->second = add_group(std::move(group));
  }
  met.own.push_back({number, entry->second});
  add_to_guard(entry->second, 0, local);
}

void Groups::meet_half(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t number, Met& met) {
  const LocalEdge& edge = state.edges[number];
  const Handshake& handshake = edge.edge->handshake;
  const auto index = specialise(network_.code(handshake.index), {state.parameters, state.parameter_count});
  if (static_cast<Op>(index[0]) != Op::kConst || static_cast<Op>(index[2]) != Op::kEnd) {
    throw NotEncodable{"which channel of an array is used depends on variables"};
  }
  const std::uint32_t channel = handshake.channel + static_cast<std::uint32_t>(index[1]);
  const bool sends = edge.kind == MoveKind::kSend;
  met.halves.push_back({number, channel, handshake.fields, sends});
  Channel& all = channels_[{channel, handshake.fields}];
  std::vector<SlotHalves>& same = sends ? all.senders : all.receivers;
  auto own = std::ranges::find(same, slot, &SlotHalves::slot);
  if (own == same.end()) own = same.insert(same.end(), SlotHalves{slot, {}, {}, {}});
  const bool can_fail = add_edge_code(own->reads, own->writes, state, edge);
  if (std::ranges::find(own->locals, local) == own->locals.end()) own->locals.push_back(local);
  for (const SlotHalves& other : sends ? all.receivers : all.senders) {
    if (other.slot == slot) continue;
    if (sends) {
      pair_up(channel, handshake.fields, *own, other);
    } else {
      pair_up(channel, handshake.fields, other, *own);
    }
  }
  // what cannot be evaluated is a fault of the model even if there is nobody to meet
  if (can_fail) meet_own(slot, local, state, number, met, true);
}

void Groups::pair_up(std::uint32_t channel, std::uint32_t fields, const SlotHalves& sender,
                     const SlotHalves& receiver) {
  const auto [entry, is_new] = pair_groups_.try_emplace({{channel, fields}, {sender.slot, receiver.slot}}, 0);
  if (is_new) {
    Group group;
    group.kind = Group::Kind::kHandshake;
    group.slots = {sender.slot, receiver.slot};
    group.channel = channel;
    group.fields = fields;
    entry->second = add_group(std::move(group));
  }
  Group& group = groups_[entry->second];
  for (const SlotHalves* half : {&sender, &receiver}) {
    if (group.reads.includes(half->reads) && group.writes.includes(half->writes)) continue;
    group.reads.unite(half->reads);
    group.writes.unite(half->writes);
    group.is_new = true;
  }
  guards_[entry->second] = {sender.locals, receiver.locals};
  group.has_new_guard = true;
}

void Groups::meet_offer(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t number, Met& met) {
  const LocalEdge& edge = state.edges[number];
  Event& event = event_of(edge.label);
  NumberSet reads;
  NumberSet writes;
  const bool can_fail = add_edge_code(reads, writes, state, edge);
  if (can_fail) meet_own(slot, local, state, number, met, true);
  const auto partner = std::ranges::find(event.partners, slot);
  if (partner == event.partners.end()) return;  // it has the event, but not on this side: it never happens
  met.offers.emplace_back(edge.label, number);
  event.offers[static_cast<std::size_t>(partner - event.partners.begin())].push_back({local, number, edge.target});
  if (edge.guard != kNoCode || edge.update != kNoCode || edge.target == kNone || edge.target == kErrorLocal) {
    event.is_product = false;
  }
  event.reads.unite(reads);
  event.writes.unite(writes);
}

Groups::Event& Groups::event_of(LabelId label) {
  const auto [entry, is_new] = events_.try_emplace(label);
  Event& event = entry->second;
  if (is_new) {
    const Shape& shape = network_.shape(shape_);
    const ShapeNode& top = shape.nodes[shape.top];
    for (const std::uint32_t child : top.op->events.at(label)) {
      event.partners.push_back(shape.nodes[top.children[child]].slot);
    }
    event.offers.resize(event.partners.size());
  }
  return event;
}

void Groups::meet_end(std::uint32_t slot, LocalId local, const LocalEdge& edge) {
  const Operator* composition = network_.shape(shape_).composition();
  if (composition != nullptr && composition->ends) return;  // then there is no step of termination
  if (edge.guard != kNoCode || edge.update != kNoCode)
    throw NotEncodable{"whether a process can end depends on variables"};
  if (std::ranges::find(ends_[slot], local) == ends_[slot].end()) ends_[slot].push_back(local);
}

bool Groups::add_code(NumberSet& reads, NumberSet& writes, CodeId code, std::span<const std::int32_t> parameters) {
  if (code == kNoCode) return false;
  Footprint footprint;
  const std::vector<std::int32_t> own = specialise(network_.code(code), parameters);
  const bool can_fail = footprint.add_code(own.data(), network_.variable_count());
  reads.unite(footprint.reads);
  writes.unite(footprint.writes);
  return can_fail;
}

bool Groups::add_edge_code(NumberSet& reads, NumberSet& writes, const LocalState& state, const LocalEdge& edge) {
  const std::span<const std::int32_t> parameters{state.parameters, state.parameter_count};
  bool can_fail = add_code(reads, writes, edge.guard, parameters);
  const auto add = [&](CodeId code) { can_fail = add_code(reads, writes, code, parameters) || can_fail; };
  if (edge.label == kNone) std::ranges::for_each(edge.edge->label_arguments, add);
  if (edge.target == kNone) std::ranges::for_each(edge.edge->target_arguments, add);
  std::ranges::for_each(edge.edge->handshake.values, add);
  add(edge.edge->handshake.accepts);
  add(edge.update);
  return can_fail;
}

// ---------------------------------------------------------------- groups

std::uint32_t Groups::add_group(Group group) {
  const auto number = static_cast<std::uint32_t>(groups_.size());
  guards_.emplace_back(group.slots.size());
  groups_.push_back(std::move(group));
  return number;
}

void Groups::add_to_guard(std::uint32_t group, std::size_t part, LocalId local) {
  std::vector<LocalId>& locals = guards_[group][part];
  if (std::ranges::find(locals, local) != locals.end()) return;
  locals.push_back(local);
  groups_[group].has_new_guard = true;
}

std::vector<ProcessId> Groups::processes_of(std::span<const std::uint32_t> slots) const {
  std::vector<ProcessId> processes;
  for (const std::uint32_t slot : slots) processes.push_back(network_.shape(shape_).slot_process[slot]);
  std::ranges::sort(processes);
  const auto repeated = std::ranges::unique(processes);
  processes.erase(repeated.begin(), repeated.end());
  return processes;
}

void Groups::finish_events() {
  for (auto& [label, event] : events_) {
    if (std::ranges::any_of(event.offers, [](const auto& offers) { return offers.empty(); })) continue;
    if (event.group == kNone) {
      Group group;
      group.kind = event.is_product ? Group::Kind::kProduct : Group::Kind::kShared;
      group.slots = event.partners;
      group.label = label;
      event.group = add_group(std::move(group));
    }
    Group& group = groups_[event.group];
    if (!event.is_product) {
      const bool fits = group.reads.includes(event.reads) && group.writes.includes(event.writes);
      group.is_new = group.is_new || !fits || group.kind == Group::Kind::kProduct;
      group.kind = Group::Kind::kShared;
      group.reads.unite(event.reads);
      group.writes.unite(event.writes);
      group.has_new_guard = true;
      for (std::size_t i = 0; i < event.offers.size(); ++i) {
        std::vector<LocalId>& locals = guards_[event.group][i];
        locals.clear();
        for (const Offer& offer : event.offers[i]) locals.push_back(offer.local);
      }
      continue;
    }
    if (order_.empty()) continue;
    prepare();
    std::vector<Moves> moves(event.offers.size());
    for (std::size_t i = 0; i < event.offers.size(); ++i) {
      for (const Offer& offer : event.offers[i]) moves[i].emplace_back(offer.local, offer.target);
    }
    set_product(groups_[event.group], std::move(moves), label);
  }
  prepare();
}

void Groups::finish_end() {
  if (slots_ < 2 || std::ranges::any_of(ends_, [](const auto& locals) { return locals.empty(); })) return;
  if (end_group_ == kNone) {
    Group group;
    group.kind = Group::Kind::kProduct;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) group.slots.push_back(slot);
    end_group_ = add_group(std::move(group));
  }
  if (order_.empty()) return;
  prepare();
  std::vector<Moves> moves(slots_);
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    for (const LocalId local : ends_[slot]) moves[slot].emplace_back(local, kTerminatedLocal);
  }
  set_product(groups_[end_group_], std::move(moves), kNone);
}

// Termination (no label) is no event: it is not hidden.
void Groups::set_product(Group& group, std::vector<Moves> moves, LabelId label) {
  const std::vector<ProcessId> processes = processes_of(group.slots);
  const ActionId action = label == kNone ? network_.labels.action(kTerminateLabel, processes)
                                         : seen(network_.labels.action(label, processes));
  group.forward = KeptSet(diagrams_, product_of(group, moves));
  for (Moves& own : moves) {
    for (auto& [before, after] : own) std::swap(before, after);
  }
  group.backward = KeptSet(diagrams_, product_of(group, moves));
  group.steps = {{action, group.forward, group.backward}};
}

Diagram Groups::product_of(const Group& group, std::span<const Moves> moves) {
  Diagram product = kUnit;
  for (std::size_t at = group.items.size(); at-- > 0;) {
    const std::uint32_t slot = group.items[at] - static_cast<std::uint32_t>(network_.variable_count());
    const auto part = static_cast<std::size_t>(std::ranges::find(group.slots, slot) - group.slots.begin());
    Moves own = moves[part];
    std::ranges::sort(own);
    const auto repeated = std::ranges::unique(own);
    own.erase(repeated.begin(), repeated.end());
    Diagram list = kEmptySet;
    for (std::size_t i = own.size(); i > 0;) {
      const LocalId before = own[i - 1].first;
      Diagram targets = kEmptySet;
      for (; i > 0 && own[i - 1].first == before; --i) targets = diagrams_.make(own[i - 1].second, product, targets);
      list = diagrams_.make(before, targets, list);
    }
    product = list;
  }
  return product;
}

void Groups::prepare() {
  if (order_.empty()) return;
  for (std::size_t number = 0; number < groups_.size(); ++number) {
    Group& group = groups_[number];
    if (group.is_new) lay_out(group);
    if (!group.has_new_guard || group.kind == Group::Kind::kProduct) continue;
    group.has_new_guard = false;
    Diagram guard = kUnit;
    for (std::size_t at = group.items.size(); at-- > 0;) {
      if (group.items[at] < network_.variable_count()) continue;
      const std::uint32_t slot = group.items[at] - static_cast<std::uint32_t>(network_.variable_count());
      const auto part = static_cast<std::size_t>(std::ranges::find(group.slots, slot) - group.slots.begin());
      std::vector<LocalId> locals = guards_[number][part];
      std::ranges::sort(locals);
      const auto repeated = std::ranges::unique(locals);
      locals.erase(repeated.begin(), repeated.end());
      Diagram list = kEmptySet;
      for (std::size_t i = locals.size(); i-- > 0;) list = diagrams_.make(locals[i], guard, list);
      guard = list;
    }
    group.guard = KeptSet(diagrams_, guard);
  }
}

void Groups::lay_out(Group& group) {
  group.is_new = false;
  group.has_new_guard = true;
  std::vector<Touch> touch(item_count(), Touch::kNone);
  group.reads.for_each([&](std::size_t variable) { touch[level_of_[variable]] = Touch::kRead; });
  group.writes.for_each([&](std::size_t variable) { touch[level_of_[variable]] = Touch::kWrite; });
  std::vector<Touch> guard(item_count(), Touch::kNone);
  for (const std::uint32_t slot : group.slots) {
    touch[level_of_[slot_item(slot)]] = Touch::kWrite;
    guard[level_of_[slot_item(slot)]] = Touch::kRead;
  }
  group.items.clear();
  for (std::size_t level = 0; level < touch.size(); ++level) {
    if (touch[level] != Touch::kNone) group.items.push_back(order_[level]);
  }
  group.top = level_of_[group.items.front()];
  while (touch.back() == Touch::kNone) touch.pop_back();
  while (guard.back() == Touch::kNone) guard.pop_back();
  group.footing = {++footings_, std::move(touch)};
  group.guard_footing = {++footings_, std::move(guard)};
  group.seen = {};
  group.steps.clear();
  group.forward = {};
  group.backward = {};
}

Footing Groups::reading(std::vector<std::uint32_t>& items) {
  std::ranges::sort(items, {}, [&](std::uint32_t item) { return level_of_[item]; });
  std::vector<Touch> touch;
  for (const std::uint32_t item : items) {
    touch.resize(level_of_[item] + std::size_t{1}, Touch::kNone);
    touch.back() = Touch::kRead;
  }
  return {++footings_, std::move(touch)};
}

// ---------------------------------------------------------------- states

std::vector<std::uint32_t> Groups::vector_of(const Unpacked& state) const {
  std::vector<std::uint32_t> vector(order_.size());
  const bool has_ended = slots_ > 1 && state.locals.size() == 1;  // all that is left is an end
  for (std::size_t level = 0; level < order_.size(); ++level) {
    const std::size_t item = order_[level];
    const std::size_t variables = network_.variable_count();
    if (item < variables) {
      vector[level] = static_cast<std::uint32_t>(state.values[item]);
    } else {
      vector[level] = has_ended ? kTerminatedLocal : state.locals[item - variables];
    }
  }
  return vector;
}

bool Groups::has_shape(const Unpacked& state) const {
  if (state.shape == shape_) return true;
  return slots_ > 1 && state.locals.size() == 1 && state.locals[0] == kTerminatedLocal;
}

Unpacked Groups::state_of(std::span<const std::uint32_t> vector) {
  Unpacked state{shape_, std::vector<std::int32_t>(network_.variable_count()), std::vector<LocalId>(slots_)};
  for (std::size_t level = 0; level < order_.size(); ++level) {
    const std::size_t item = order_[level];
    if (item < state.values.size()) {
      state.values[item] = static_cast<std::int32_t>(vector[level]);
    } else {
      state.locals[item - state.values.size()] = vector[level];
    }
  }
  // all that is left when all have ended together
  const bool joint = slots_ > 1 && end_group_ != kNone;
  if (joint && std::ranges::all_of(state.locals, [](LocalId local) { return local == kTerminatedLocal; })) {
    TreeBuilder builder(network_);
    builder.unfold(builder.leaf(kTerminatedLocal, network_.main()), state);
  }
  return state;
}

Diagram Groups::ended(Diagram states) {
  std::vector<std::uint32_t> slots = network_.shape(shape_).end_slots;
  if (slots.empty()) {
    const Operator* composition = network_.shape(shape_).composition();
    if (composition == nullptr || composition->ends) return kEmptySet;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) slots.push_back(slot);
  }
  std::vector<std::uint32_t> items;
  for (const std::uint32_t slot : slots) items.push_back(static_cast<std::uint32_t>(slot_item(slot)));
  const Footing footing = reading(items);
  const std::vector<std::uint32_t> all(items.size(), kTerminatedLocal);
  return diagrams_.image(states, diagrams_.from_vector(all), footing, 0);
}

}  // namespace fairlead
