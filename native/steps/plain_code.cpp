// Plain steps that run code: their guards, updates, labels, targets or messages depend on variables.
#include <algorithm>
#include <array>

#include "program/specialise.hpp"
#include "steps/plain_steps.hpp"

namespace fairlead {

// ---------------------------------------------------------------- what is learnt of a local state

bool PlainSteps::runs_code(const LocalEdge& edge) const {
  if (edge.target == kNone || (edge.kind == MoveKind::kEvent && edge.label == kNone)) return true;
  if (edge.update != kNoCode && !edge.stores_constants) return true;
  return edge.guard != kNoCode && !TestChain::of(network_.code(edge.guard));
}

std::optional<PlainSteps::Half> PlainSteps::half_of(const Content& content, std::uint32_t number) {
  const LocalEdge& edge = content.edges[number];
  const Handshake& handshake = edge.edge->handshake;
  const std::span<const std::int32_t> own = parameters(content, number);
  const auto index = specialise(network_.code(handshake.index), own);
  if (static_cast<Op>(index[0]) != Op::kConst || static_cast<Op>(index[2]) != Op::kEnd) return std::nullopt;
  Footprint unused;
  const auto can_fail = [&](CodeId code) {
    return code != kNoCode && unused.add_code(specialise(network_.code(code), own).data(), network_.variable_count());
  };
  const bool sends = edge.kind == MoveKind::kSend;
  if (can_fail(edge.guard) || std::ranges::any_of(handshake.values, can_fail)) return std::nullopt;
  if (sends && edge.target == kNone && std::ranges::any_of(edge.edge->target_arguments, can_fail)) return std::nullopt;
  return Half{number, handshake.channel + static_cast<std::uint32_t>(index[1]), handshake.fields, sends};
}

void PlainSteps::add_looked_at(NumberSet& variables, const Content& content, std::uint32_t number) {
  const LocalEdge& edge = content.edges[number];
  Footprint footprint;
  const auto add = [&](CodeId code) {
    if (code == kNoCode) return;
    footprint.add_code(specialise(network_.code(code), parameters(content, number)).data(), network_.variable_count());
  };
  add(edge.guard);
  if (edge.label == kNone) std::ranges::for_each(edge.edge->label_arguments, add);
  if (edge.target == kNone) std::ranges::for_each(edge.edge->target_arguments, add);
  std::ranges::for_each(edge.edge->handshake.values, add);
  add(edge.edge->handshake.accepts);
  add(edge.update);
  variables.unite(footprint.reads);  // what is stored does not depend on what was there before
}

void PlainSteps::add_memos(Table& table, Local& local, const Content& content, std::span<const std::uint32_t> edges) {
  struct Group {
    NumberSet variables;
    std::vector<StepMemo::Edges> edges;
  };
  std::vector<Group> groups;
  for (const std::uint32_t number : edges) {
    NumberSet variables;
    add_looked_at(variables, content, number);
    const auto like = std::ranges::find_if(groups, [&](const Group& group) {
      return group.variables.includes(variables) || variables.includes(group.variables);
    });
    Group& group = like == groups.end() ? groups.emplace_back() : *like;
    group.variables.unite(variables);
    group.edges.push_back({number});
  }
  local.first_memo = static_cast<std::uint32_t>(table.memos.size());
  local.memo_count = static_cast<std::uint32_t>(groups.size());
  for (Group& group : groups) {
    add_memo(table, StepMemo(std::move(group.edges), group.variables.numbers()), local.number < kRemembering);
  }
}

void PlainSteps::add_memo(Table& table, StepMemo memo, bool is_useful) {
  if (is_useful) {
    memo.bind(layout_);
  } else {
    memo.give_up();
  }
  charge(memo.bytes());
  memo_bytes_ += memo.bytes();
  table.memos.push_back(std::move(memo));
}

void PlainSteps::add_halves(Table& table, Local& local, std::span<const Half> halves) {
  local.first_half = static_cast<std::uint32_t>(table.halves.size());
  local.half_count = static_cast<std::uint32_t>(halves.size());
  for (const Half& half : halves)
    (half.sends ? local.sends : local.receives) |= std::uint64_t{1} << (half.channel % 64);
  charge(2 * halves.size_bytes());
  table.halves.insert(table.halves.end(), halves.begin(), halves.end());
  local.first_meeting = static_cast<std::uint32_t>(table.meetings.size());
  if (local.sends == 0) return;
  charge(table.slots.size() * sizeof(std::vector<std::uint32_t>));
  table.meetings.resize(table.meetings.size() + table.slots.size());
}

// The memo of the handshakes of two leaves that are in the slots now; kNone if there are none.
std::uint32_t PlainSteps::meeting(Table& table, std::uint32_t slot, std::uint32_t partner) {
  const Local& local = *locals_[slot];
  const Local& other = *locals_[partner];
  std::vector<std::uint32_t>& met = table.meetings[local.first_meeting + partner];
  if (met.size() <= other.number) {
    charge((other.number + std::size_t{1} - met.size()) * sizeof(std::uint32_t));
    met.resize(other.number + std::size_t{1}, kNotMet);
  }
  if (met[other.number] != kNotMet) return met[other.number];
  const Content sender = content_in(slot);
  const Content receiver = content_in(partner);
  std::vector<StepMemo::Edges> edges;
  NumberSet variables;
  for (std::uint32_t i = local.first_half; i < local.first_half + local.half_count; ++i) {
    for (std::uint32_t j = other.first_half; j < other.first_half + other.half_count; ++j) {
      const Half& ours = table.halves[i];
      const Half& theirs = table.halves[j];
      if (!ours.sends || theirs.sends || ours.channel != theirs.channel || ours.fields != theirs.fields) continue;
      edges.push_back({ours.edge, theirs.edge});
      add_looked_at(variables, sender, ours.edge);
      add_looked_at(variables, receiver, theirs.edge);
    }
  }
  std::uint32_t found = kNone;
  if (!edges.empty()) {
    found = static_cast<std::uint32_t>(table.memos.size());
    add_memo(table, StepMemo(std::move(edges), variables.numbers()), true);
  }
  met[other.number] = found;
  return found;
}

// ---------------------------------------------------------------- steps

bool PlainSteps::own_steps(Table& table, std::uint32_t slot) {
  const Local& local = *locals_[slot];
  for (std::uint32_t i = local.first_memo; i < local.first_memo + local.memo_count; ++i) {
    if (!remembered(table, table.memos[i], slot, kNone)) return false;
  }
  return true;
}

bool PlainSteps::handshakes(Table& table) {
  const std::size_t first = out_->size();
  for (const std::uint32_t sender : senders_) {
    for (const std::uint32_t receiver : receivers_) {
      if (sender == receiver || (locals_[sender]->sends & locals_[receiver]->receives) == 0) continue;
      const std::uint32_t number = meeting(table, sender, receiver);
      if (number != kNone && !remembered(table, table.memos[number], sender, receiver)) return false;
    }
  }
  // two may say the same to each other, or have an event in common that is called like it
  if (distinct_) distinct_ = table.events.empty() && are_different(first);
  return true;
}

bool PlainSteps::remembered(Table& table, StepMemo& memo, std::uint32_t slot, std::uint32_t partner) {
  const StepMemo::Found* known = memo.is_useful() ? memo.find(record_) : nullptr;
  if (known != nullptr) {
    append(memo.steps(), known->first_step, known->step_count);
    return true;
  }
  if (!find_steps(table, memo, slot, partner)) return false;
  append(steps_, 0, static_cast<std::uint32_t>(steps_.steps.size()));
  if (!may_keep_ || !memo.is_useful()) return true;
  const std::size_t before = memo.bytes();
  if (may_remember()) {
    memo.add(record_, steps_);
  } else {
    memo.miss();
  }
  recharge(memo, before);
  return true;
}

void PlainSteps::append(const FoundSteps& found, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = first; i < first + count; ++i) {
    const FoundSteps::Step& step = found.steps[i];
    std::uint64_t* words = new_record(step.action);
    const WordChange* change = found.changes.data() + step.first_change;
    for (const WordChange* end = change + step.change_count; change != end; ++change) {
      words[change->word] = (words[change->word] & change->kept) | change->set;
    }
  }
}

// ---------------------------------------------------------------- finding steps

bool PlainSteps::find_steps(Table& table, const StepMemo& memo, std::uint32_t slot, std::uint32_t partner) {
  steps_.clear();
  may_keep_ = true;
  see_values();
  const Content content = content_in(slot);
  for (const StepMemo::Edges& edges : memo.edges()) {
    scope_.rounds = 0;
    scope_.parameters = parameters(content, edges.edge).data();
    if (!network_.enabled(content.edges[edges.edge], scope_)) continue;
    const bool fits = partner == kNone ? find_own_step(table, slot, content, edges.edge)
                                       : find_handshake(table, slot, partner, edges);
    if (!fits) return false;
  }
  return true;
}

bool PlainSteps::find_own_step(Table& table, std::uint32_t slot, const Content& content, std::uint32_t number) {
  LocalEdge& edge = content.edges[number];
  ActionId action = network_.action(edge, network_.shape(shape_).slot_process[slot], scope_);
  if (edge.kind == MoveKind::kEvent) action = seen(table, slot, action);
  const Moved moved{slot, number, network_.target(edge, scope_)};
  if (edge.update != kNoCode) network_.evaluate(edge.update, scope_);
  return finish_step(table, action, {&moved, 1});
}

// The edge that sends is enabled.
bool PlainSteps::find_handshake(Table& table, std::uint32_t slot, std::uint32_t partner, const StepMemo::Edges& edges) {
  LocalEdge& sent = content_in(slot).edges[edges.edge];
  const Content other = content_in(partner);
  LocalEdge& received = other.edges[edges.partner];
  const std::int32_t* own = scope_.parameters;
  message_.clear();
  for (const CodeId value : sent.edge->handshake.values) message_.push_back(network_.evaluate(value, scope_));
  const LocalId target = network_.target(sent, scope_);
  scope_.parameters = parameters(other, edges.partner).data();
  if (!network_.enabled(received, scope_)) return true;
  scope_.received = message_.data();
  const CodeId accepts = received.edge->handshake.accepts;
  if (accepts != kNoCode && network_.evaluate(accepts, scope_) == 0) return true;
  const LocalId other_target = network_.target(received, scope_);
  scope_.parameters = own;
  const LabelId label = network_.label(sent, kNone, scope_);
  const Shape& shape = network_.shape(shape_);
  std::array<ProcessId, 2> processes{shape.slot_process[slot], shape.slot_process[partner]};
  std::ranges::sort(processes);
  const std::size_t count = processes[0] == processes[1] ? 1 : 2;
  const ActionId action = seen(table, slot, network_.labels.action(label, std::span(processes).first(count)));
  if (sent.update != kNoCode) network_.evaluate(sent.update, scope_);
  scope_.parameters = parameters(other, edges.partner).data();
  scope_.rounds = 0;
  if (received.update != kNoCode) network_.evaluate(received.update, scope_);
  const Moved moved[] = {{slot, edges.edge, target}, {partner, edges.partner, other_target}};
  return finish_step(table, action, moved);
}

bool PlainSteps::finish_step(Table& table, ActionId action, std::span<const Moved> moved) {
  const std::size_t first = steps_.changes.size();
  for (const Moved& part : moved) {
    const std::optional<LocalId> content = in_place(part);
    if (builder_.has_read()) may_keep_ = false;
    if (!content) return finish_anew(table, first, action, moved);
    const std::uint32_t number = number_in(part.slot, *content);
    if (number == kNone) {
      scope_.undo();
      return false;
    }
    add_change(steps_.changes, first, table.slots[part.slot].field, number);
  }
  for (const auto& [written, before] : scope_.written) {
    const auto variable = static_cast<std::size_t>(written);
    const std::int32_t value = scope_.shared[written];
    if (!layout_.has_room_for_value(variable, value)) {
      scope_.undo();
      reject_value(variable, value);
      return false;
    }
    add_change(steps_.changes, first, layout_.value_field(variable),
               static_cast<std::uint64_t>(value - layout_.value_base(variable)));
  }
  scope_.undo();
  const auto count = static_cast<std::uint32_t>(steps_.changes.size() - first);
  steps_.steps.push_back({action, static_cast<std::uint32_t>(first), count});
  return true;
}

// Such a step does not change words, so it is not remembered; but what becomes of the tree is.
bool PlainSteps::finish_anew(Table& table, std::size_t first, ActionId action, std::span<const Moved> moved) {
  steps_.changes.resize(first);
  distinct_ = false;
  may_keep_ = false;
  const std::uint32_t plan = plan_of_moved(table, moved);
  const auto has_room = [&](const auto& written) {
    return layout_.has_room_for_value(static_cast<std::size_t>(written.first), scope_.shared[written.first]);
  };
  if (plan != kNone && std::ranges::all_of(scope_.written, has_room)) {
    if (std::uint64_t* words = follow_plan(table, plan, action)) {
      for (const auto& [written, before] : scope_.written) {
        layout_.set_value(words, static_cast<std::size_t>(written), scope_.shared[written]);
      }
      scope_.undo();
      return true;
    }
  }
  layout_.unpack(record_, unpacked_);
  unpacked_.values = values_;
  scope_.undo();
  stored_.clear();
  return append_anew(table, {action, moved, plan});
}

}  // namespace fairlead
