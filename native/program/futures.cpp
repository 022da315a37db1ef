#include "program/futures.hpp"

#include <algorithm>

#include "program/specialise.hpp"

namespace fairlead {

namespace {
// So many local states of a slot are followed one by one; beyond that, and beyond so many positions, as positions.
constexpr std::size_t kMostLocals = 2'000;
constexpr std::size_t kMostPositions = 20'000;
}  // namespace

std::optional<std::string> Futures::follow(std::span<const Unpacked> initial) {
  const Shape& shape = network_.shape(initial[0].shape);
  const ShapeNode& top = shape.nodes[shape.top];
  if (shape.flat && shape.has_priorities) return "events have priorities";
  if (!shape.flat || shape.hides) return "the processes are not just side by side";
  if (top.kind != NodeKind::kParallel) return "there is only one process";
  slots_.resize(shape.slot_process.size());
  find_events(shape);
  try {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) follow_slot(slot, initial);
  } catch (const Unsuitable& unsuitable) {
    return unsuitable.why;
  }
  find_wanted();
  for (Slot& slot : slots_) close(slot);
  return std::nullopt;
}

void Futures::find_events(const Shape& shape) {
  const ShapeNode& top = shape.nodes[shape.top];
  if (top.synchronises) {
    for (const auto& [label, children] : top.events) {
      const auto event = static_cast<std::uint32_t>(events_.size());
      event_of_.emplace(label, event);
      std::vector<std::uint32_t>& partners = events_.emplace_back();
      for (const std::uint32_t child : children) partners.push_back(shape.nodes[top.children[child]].slot);
      std::sort(partners.begin(), partners.end());
      for (const std::uint32_t slot : partners) slots_[slot].events.add(event);
    }
  }
  if (top.ends) return;
  termination_ = static_cast<std::uint32_t>(events_.size());
  std::vector<std::uint32_t>& all = events_.emplace_back();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) all.push_back(slot);
}

void Futures::follow_slot(std::uint32_t slot, std::span<const Unpacked> initial) {
  Slot& own = slots_[slot];
  for (const Unpacked& state : initial) local_node(own, state.locals[slot]);
  for (std::uint32_t node = 0; node < own.nodes.size(); ++node) {
    if (own.nodes[node].is_local) {
      expand_local(slot, node);
    } else {
      expand_position(slot, node);
    }
  }
}

std::uint32_t Futures::local_node(Slot& slot, LocalId local) {
  const auto known = slot.of_local.find(local);
  if (known != slot.of_local.end()) return known->second;
  if (slot.of_local.size() >= kMostLocals) return position_node(slot, network_.position_of(local));
  const auto number = static_cast<std::uint32_t>(slot.nodes.size());
  slot.of_local.emplace(local, number);
  slot.nodes.push_back(Node{true, local, {}, {}, {}, {}, {}, {}, false, false, {}});
  return number;
}

std::uint32_t Futures::position_node(Slot& slot, std::uint32_t position) {
  const auto known = slot.of_position.find(position);
  if (known != slot.of_position.end()) return known->second;
  if (slot.of_position.size() >= kMostPositions) throw Unsuitable{"a process has very many local states"};
  const auto number = static_cast<std::uint32_t>(slot.nodes.size());
  slot.of_position.emplace(position, number);
  slot.nodes.push_back(Node{false, position, {}, {}, {}, {}, {}, {}, false, false, {}});
  return number;
}

void Futures::expand_local(std::uint32_t slot, std::uint32_t number) {
  Slot& own = slots_[slot];
  const LocalId id = own.nodes[number].number;
  const LocalState state = network_.local(id);
  if (state.counted) throw Unsuitable{"processes are counted"};
  if (state.composite) throw Unsuitable{"a process becomes several"};
  const std::span<const std::int32_t> parameters{state.parameters, state.parameter_count};
  for (const LocalEdge& edge : state.edge_span()) {
    if (edge.never_enabled) continue;
    add_edge(own, own.nodes[number], *edge.edge, edge.guard, edge.update, edge.label, edge.target != kNone, parameters,
             true);
    if (edge.target == kErrorLocal) continue;
    const std::uint32_t next =
        edge.target == kNone ? position_node(own, edge.edge->target) : local_node(own, edge.target);
    own.nodes[number].next.push_back(next);
  }
}

void Futures::expand_position(std::uint32_t slot, std::uint32_t number) {
  Slot& own = slots_[slot];
  const Position& text = network_.text(own.nodes[number].number);
  if (text.composite) throw Unsuitable{"a process becomes several"};
  for (const Edge& edge : text.edges) {
    LabelId label = kNone;
    if (edge.kind == MoveKind::kEvent && edge.label_arguments.empty()) label = network_.labels.event(edge.name, {});
    add_edge(own, own.nodes[number], edge, edge.guard, edge.update, label, false, {}, false);
    if (edge.target == kErrorLocal) continue;  // the first positions and local states have the same numbers
    const std::uint32_t next = position_node(own, edge.target);  // which may move the nodes
    own.nodes[number].next.push_back(next);
  }
}

void Futures::add_code(Footprint& footprint, CodeId code) {
  if (code == kNoCode) return;
  const bool can_fail = footprint.add_code(network_.code(code), network_.variable_count());
  can_fail_ = can_fail_ || can_fail;
}

void Futures::add_edge(const Slot& slot, Node& node, const Edge& edge, CodeId guard, CodeId update, LabelId label,
                       bool target_is_fixed, std::span<const std::int32_t> parameters, bool knows_parameters) {
  add_code(node.own, guard);
  add_code(node.own, update);
  if (!target_is_fixed) {
    for (const CodeId argument : edge.target_arguments) add_code(node.own, argument);
  }
  if (edge.kind == MoveKind::kTermination) {
    if (termination_ != kNone) node.offers.add(termination_);
    return;
  }
  if (edge.kind == MoveKind::kInternal) return;
  if (label == kNone) {
    for (const CodeId argument : edge.label_arguments) add_code(node.own, argument);
    node.any_label = true;
  } else {
    node.labels.add(label);
  }
  if (edge.annotation != kNotAnnotated) {
    wants_any_ = wants_any_ || label == kNone;
    if (label != kNone) wanted_labels_.add(label);
  }
  if (guard != kNoCode) {
    Footprint looked_at;
    add_code(looked_at, guard);
    node.guards.unite(looked_at.reads);
  }
  if (edge.kind != MoveKind::kEvent) {
    add_handshake(node, edge, parameters, knows_parameters);
  } else if (edge.synchronises && label == kNone) {
    node.offers.unite(slot.events);
  } else if (edge.synchronises) {
    const auto event = event_of_.find(label);
    if (event != event_of_.end() && slot.events.has(event->second)) node.offers.add(event->second);
  }
}

void Futures::add_handshake(Node& node, const Edge& edge, std::span<const std::int32_t> parameters,
                            bool knows_parameters) {
  const Handshake& handshake = edge.handshake;
  for (const CodeId value : handshake.values) add_code(node.own, value);
  add_code(node.own, handshake.accepts);
  add_code(node.own, handshake.index);
  node.guards.unite(node.own.reads);  // whether there is a handshake depends on all that
  std::vector<std::int32_t> index(network_.code(handshake.index), network_.code(handshake.index) + 1);
  if (knows_parameters || static_cast<Op>(index[0]) == Op::kConst) {
    index = specialise(network_.code(handshake.index), parameters);
  }
  if (static_cast<Op>(index[0]) != Op::kConst || static_cast<Op>(index[2]) != Op::kEnd || index[1] < 0) {
    node.own.everything = true;
    return;
  }
  const std::size_t channel = 2 * (handshake.channel + static_cast<std::size_t>(index[1]));
  const bool sends = edge.kind == MoveKind::kSend;
  node.own.wants.add(channel + (sends ? 0 : 1));
  node.own.gives.add(channel + (sends ? 1 : 0));
}

// Which processes offer an event that is annotated somewhere, and what its guards look at.
void Futures::find_wanted() {
  const bool any = wants_any_ || wanted_labels_ != NumberSet{};
  if (!any) return;
  for (Slot& slot : slots_) {
    for (Node& node : slot.nodes) {
      node.wanted = node.any_label || node.labels.meets(wanted_labels_) || (wants_any_ && node.labels != NumberSet{});
      if (node.wanted) wanted_variables_.unite(node.guards);
    }
  }
}

// Adds to each node what those after it do, until nothing changes.
void Futures::close(Slot& slot) {
  for (Node& node : slot.nodes) {
    node.future = node.own;
    node.ever_offers = node.offers;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = slot.nodes.rbegin(); node != slot.nodes.rend(); ++node) {
      Footprint future = node->future;
      NumberSet offers = node->ever_offers;
      bool wanted = node->wanted;
      for (const std::uint32_t next : node->next) {
        future.unite(slot.nodes[next].future);
        offers.unite(slot.nodes[next].ever_offers);
        wanted = wanted || slot.nodes[next].wanted;
      }
      if (future == node->future && offers == node->ever_offers && wanted == node->wanted) continue;
      changed = true;
      node->future = std::move(future);
      node->ever_offers = std::move(offers);
      node->wanted = wanted;
    }
  }
}

std::uint32_t Futures::now_number(const Footprint& footprint) {
  const auto [entry, is_new] = now_numbers_.try_emplace(footprint, static_cast<std::uint32_t>(nows_.size()));
  if (!is_new) return entry->second;
  nows_.push_back(&entry->first);
  std::vector<std::uint8_t>& row = depends_.emplace_back();
  for (const Footprint* future : futures_) row.push_back(fairlead::depend(footprint, *future));
  return entry->second;
}

std::uint32_t Futures::future_number(const Footprint& footprint) {
  const auto [entry, is_new] = future_numbers_.try_emplace(footprint, static_cast<std::uint32_t>(futures_.size()));
  if (!is_new) return entry->second;
  futures_.push_back(&entry->first);
  for (std::size_t now = 0; now < nows_.size(); ++now)
    depends_[now].push_back(fairlead::depend(*nows_[now], footprint));
  return entry->second;
}

Prospect Futures::prospect(std::uint32_t slot, LocalId local) {
  require_growth();
  Slot& own = slots_[slot];
  Prospect found;
  found.known = true;
  const auto exact = own.of_local.find(local);
  const Node& node =
      own.nodes[exact != own.of_local.end() ? exact->second : own.of_position.at(network_.position_of(local))];
  found.now = now_number(node.own);
  found.future = future_number(node.future);
  found.wanted = node.wanted;
  found.offered = node.offers;
  found.ever_offered = node.ever_offers;
  found.offered.for_each([&](std::size_t event) { found.offers.push_back(static_cast<std::uint32_t>(event)); });
  return found;
}

}  // namespace fairlead
