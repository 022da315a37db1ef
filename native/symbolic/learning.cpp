// How groups learn their steps: their edges are tried in the combinations of parts that occur.
#include <algorithm>
#include <stdexcept>

#include "symbolic/groups.hpp"

namespace fairlead {

bool Groups::learn(Group& group, Diagram states, std::size_t level) {
  if (group.kind == Group::Kind::kProduct || group.guard.get() == kEmptySet) return false;
  const Diagram ready = diagrams_.image(states, group.guard.get(), group.guard_footing, level);
  const Diagram fresh = diagrams_.subtract(diagrams_.project(ready, group.footing, level), group.seen.get());
  if (fresh == kEmptySet) return false;
  found_.clear();
  after_ = nullptr;
  const std::size_t variables = network_.variable_count();
  diagrams_.for_each(fresh, group.items.size(), [&](std::span<const std::uint32_t> vector) {
    diagrams_.ticker().tick();
    for (std::size_t i = 0; i < vector.size(); ++i) {
      if (group.items[i] < variables) {
        state_.values[group.items[i]] = static_cast<std::int32_t>(vector[i]);
      } else {
        state_.locals[group.items[i] - variables] = vector[i];
      }
    }
    scope_.shared = state_.values.data();
    scope_.written.clear();
    try_edges(group);
  });
  group.seen = KeptSet(diagrams_, diagrams_.unite(group.seen.get(), fresh));
  std::size_t length = 0;
  for (const Touch touch : group.footing.touch) length += touch == Touch::kWrite ? 2 : touch == Touch::kRead ? 1 : 0;
  for (auto& [action, steps] : found_) {
    auto known = std::ranges::find(group.steps, action, &ActionSteps::action);
    if (known == group.steps.end()) known = group.steps.insert(group.steps.end(), ActionSteps{action, {}, {}});
    const Diagram forward = diagrams_.from_vectors(steps.forward, length);
    const Diagram backward = diagrams_.from_vectors(steps.backward, length);
    known->forward = KeptSet(diagrams_, diagrams_.unite(known->forward.get(), forward));
    known->backward = KeptSet(diagrams_, diagrams_.unite(known->backward.get(), backward));
    group.forward = KeptSet(diagrams_, diagrams_.unite(group.forward.get(), forward));
    group.backward = KeptSet(diagrams_, diagrams_.unite(group.backward.get(), backward));
  }
  return !found_.empty();
}

std::vector<Unpacked> Groups::successors(const Unpacked& state) {
  std::vector<Unpacked> after;
  after_ = &after;
  for (std::size_t number = 0; number < groups_.size(); ++number) {
    Group& group = groups_[number];
    if (number == end_group_) continue;  // nothing comes after it
    const auto is_ready = [&](std::size_t part) {
      const std::vector<LocalId>& locals = guards_[number][part];
      return std::ranges::find(locals, state.locals[group.slots[part]]) != locals.end();
    };
    bool all_ready = true;
    if (group.label == kNone) {
      for (std::size_t part = 0; all_ready && part < group.slots.size(); ++part) all_ready = is_ready(part);
    }
    if (!all_ready) continue;
    diagrams_.ticker().tick();
    state_ = state;
    scope_.shared = state_.values.data();
    scope_.written.clear();
    if (group.kind == Group::Kind::kProduct) {
      try_shared(group);
    } else {
      try_edges(group);
    }
  }
  after_ = nullptr;
  return after;
}

void Groups::try_edges(Group& group) {
  switch (group.kind) {
    case Group::Kind::kOwn:
    case Group::Kind::kProbe: {
      const auto number = static_cast<std::uint32_t>(&group - groups_.data());
      const std::uint32_t slot = group.slots[0];
      for (const OwnEdge& own : met_[slot].at(state_.locals[slot]).own) {
        if (own.group == number) try_own(group, slot, own.edge);
      }
      return;
    }
    case Group::Kind::kHandshake:
      try_handshakes(group);
      return;
    case Group::Kind::kShared:
      try_shared(group);
      return;
    case Group::Kind::kProduct:
      return;
  }
}

void Groups::try_own(Group& group, std::uint32_t slot, std::uint32_t number) {
  const LocalState local = network_.local(state_.locals[slot]);
  LocalEdge& edge = local.edges[number];
  scope_.rounds = 0;
  scope_.parameters = local.parameters;
  if (!network_.enabled(edge, scope_)) return;
  if (group.kind == Group::Kind::kProbe) {
    probe(slot, edge);
    return;
  }
  ActionId action = network_.action(edge, network_.shape(shape_).slot_process[slot], scope_);
  action = seen(action);
  const Moved moved{slot, network_.target(edge, scope_)};
  enter(moved.target);
  if (edge.update != kNoCode) network_.evaluate(edge.update, scope_);
  found(group, action, {&moved, 1});
}

// What is evaluated of an edge even if no partner is ready: only that it can be matters.
void Groups::probe(std::uint32_t slot, LocalEdge& edge) {
  if (edge.kind >= MoveKind::kSend) {
    for (const CodeId value : edge.edge->handshake.values) network_.evaluate(value, scope_);
    if (edge.kind == MoveKind::kSend) network_.target(edge, scope_);
    return;
  }
  network_.label(edge, network_.shape(shape_).slot_process[slot], scope_);
  network_.target(edge, scope_);
}

void Groups::try_handshakes(Group& group) {
  const LocalState sender = network_.local(state_.locals[group.slots[0]]);
  const LocalState receiver = network_.local(state_.locals[group.slots[1]]);
  const auto is_of_group = [&](const Half& half) {
    return half.channel == group.channel && half.fields == group.fields;
  };
  for (const Half& sent : met_[group.slots[0]].at(state_.locals[group.slots[0]]).halves) {
    if (!sent.sends || !is_of_group(sent)) continue;
    for (const Half& received : met_[group.slots[1]].at(state_.locals[group.slots[1]]).halves) {
      if (received.sends || !is_of_group(received)) continue;
      try_handshake(group, sender, sender.edges[sent.edge], receiver, receiver.edges[received.edge]);
    }
  }
}

void Groups::try_handshake(Group& group, const LocalState& sender, LocalEdge& sent, const LocalState& receiver,
                           LocalEdge& received) {
  scope_.rounds = 0;
  scope_.parameters = sender.parameters;
  if (!network_.enabled(sent, scope_)) return;
  message_.clear();
  for (const CodeId value : sent.edge->handshake.values) message_.push_back(network_.evaluate(value, scope_));
  const LocalId target = network_.target(sent, scope_);
  scope_.parameters = receiver.parameters;
  if (!network_.enabled(received, scope_)) return;
  scope_.received = message_.data();
  const CodeId accepts = received.edge->handshake.accepts;
  if (accepts != kNoCode && network_.evaluate(accepts, scope_) == 0) return;
  const LocalId other_target = network_.target(received, scope_);
  scope_.parameters = sender.parameters;
  const LabelId label = network_.label(sent, kNone, scope_);
  const ActionId action = seen(network_.labels.action(label, processes_of(group.slots)));
  enter(target);
  enter(other_target);
  if (sent.update != kNoCode) network_.evaluate(sent.update, scope_);
  scope_.parameters = receiver.parameters;
  scope_.rounds = 0;
  if (received.update != kNoCode) network_.evaluate(received.update, scope_);
  const Moved moved[] = {{group.slots[0], target}, {group.slots[1], other_target}};
  found(group, action, moved);
}

// All combinations of the enabled offers of the partners.
void Groups::try_shared(Group& group) {
  std::vector<std::vector<std::uint32_t>> offers(group.slots.size());
  for (std::size_t part = 0; part < group.slots.size(); ++part) {
    const std::uint32_t slot = group.slots[part];
    const LocalState local = network_.local(state_.locals[slot]);
    scope_.parameters = local.parameters;
    for (const auto& [label, edge] : met_[slot].at(state_.locals[slot]).offers) {
      scope_.rounds = 0;
      if (label == group.label && network_.enabled(local.edges[edge], scope_)) offers[part].push_back(edge);
    }
    if (offers[part].empty()) return;
  }
  std::vector<std::size_t> chosen(offers.size(), 0);
  for (;;) {
    std::vector<std::uint32_t> edges;
    for (std::size_t part = 0; part < offers.size(); ++part) edges.push_back(offers[part][chosen[part]]);
    try_combination(group, edges);
    std::size_t digit = offers.size();
    while (digit-- > 0) {
      if (++chosen[digit] < offers[digit].size()) break;
      chosen[digit] = 0;
    }
    if (digit == static_cast<std::size_t>(-1)) return;
  }
}

void Groups::try_combination(Group& group, std::span<const std::uint32_t> edges) {
  std::vector<Moved> moved;
  const auto take = [&](std::size_t part) -> LocalEdge& {
    const LocalState local = network_.local(state_.locals[group.slots[part]]);
    scope_.parameters = local.parameters;
    scope_.rounds = 0;
    return local.edges[edges[part]];
  };
  for (std::size_t part = 0; part < edges.size(); ++part) {
    const LocalEdge& edge = take(part);
    moved.push_back({group.slots[part], network_.target(edge, scope_)});
    enter(moved.back().target);
  }
  for (std::size_t part = 0; part < edges.size(); ++part) {
    const LocalEdge& edge = take(part);
    if (edge.update != kNoCode) network_.evaluate(edge.update, scope_);
  }
  found(group, seen(network_.labels.action(group.label, processes_of(group.slots))), moved);
}

void Groups::enter(LocalId target) {
  if (target == kErrorLocal) throw NotEncodable{"a process can go to ERROR"};
  if (is_unfit(target)) throw NotEncodable{"a process becomes a composition"};
}

ActionId Groups::seen(ActionId action) {
  const Shape& shape = network_.shape(shape_);
  if (!shape.hides) return action;
  Labels& labels = network_.labels;
  const LabelId label = labels.label_of(action);
  if (!shape.nodes[0].op->has(label)) return action;
  return labels.relabelled(action, labels.hidden(label, labels.processes_of(action)));
}

void Groups::found(Group& group, ActionId action, std::span<const Moved> moved) {
  if (after_ != nullptr) {
    after_->push_back(state_);
    for (const Moved& move : moved) after_->back().locals[move.slot] = move.target;
    scope_.undo();
    return;
  }
  // what is written, with what was there before its first change
  const auto before_of = [&](std::size_t variable) {
    for (const auto& [slot, before] : scope_.written) {
      if (static_cast<std::size_t>(slot) == variable) return before;
    }
    return state_.values[variable];
  };
  for (const auto& [slot, before] : scope_.written) {
    if (!group.writes.has(static_cast<std::size_t>(slot)))
      throw std::logic_error("a step changes what its code does not");
  }
  Found& steps = found_[action];
  const std::size_t variables = network_.variable_count();
  for (const std::uint32_t item : group.items) {
    if (item >= variables) {
      const std::uint32_t slot = item - static_cast<std::uint32_t>(variables);
      const auto mover = std::ranges::find(moved, slot, &Moved::slot);
      const LocalId before = state_.locals[slot];
      const LocalId after = mover == moved.end() ? before : mover->target;
      steps.forward.insert(steps.forward.end(), {before, after});
      steps.backward.insert(steps.backward.end(), {after, before});
    } else if (group.writes.has(item)) {
      const auto before = static_cast<std::uint32_t>(before_of(item));
      const auto after = static_cast<std::uint32_t>(state_.values[item]);
      steps.forward.insert(steps.forward.end(), {before, after});
      steps.backward.insert(steps.backward.end(), {after, before});
    } else {
      const auto value = static_cast<std::uint32_t>(state_.values[item]);
      steps.forward.push_back(value);
      steps.backward.push_back(value);
    }
  }
  scope_.undo();
}

std::int32_t Groups::value(CodeId expression, std::span<const std::uint32_t> items,
                           std::span<const std::uint32_t> values) {
  for (std::size_t i = 0; i < items.size(); ++i) state_.values[items[i]] = static_cast<std::int32_t>(values[i]);
  scope_.shared = state_.values.data();
  scope_.rounds = 0;
  return network_.evaluate(expression, scope_);
}

}  // namespace fairlead
