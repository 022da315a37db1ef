#include "steps/futures.hpp"

#include <algorithm>

#include "program/specialise.hpp"

namespace fairlead {

namespace {

// So many nodes of a slot know parameters; beyond that, and up to so many, they are positions. So many edges there may be.
constexpr std::size_t kMostWithParameters = 2'000;
constexpr std::size_t kMostNodes = 20'000;
constexpr std::size_t kMostEdges = 50'000;

// The value that code always has, if it is known.
std::optional<std::int32_t> constant(const std::vector<std::int32_t>& code) {
  if (static_cast<Op>(code[0]) != Op::kConst || static_cast<Op>(code[2]) != Op::kEnd) return std::nullopt;
  return code[1];
}

}  // namespace

std::optional<std::string> Futures::follow(std::span<const Unpacked> initial) {
  const Shape& shape = network_.shape(initial[0].shape);
  const ShapeNode& top = shape.nodes[shape.top];
  if (shape.flat && shape.has_priorities) return "events have priorities";
  if (!shape.flat) return "the processes are not just side by side";
  if (top.kind != NodeKind::kParallel) return "there is only one process";
  slots_.resize(shape.slot_process.size() + 1);
  find_events(shape);
  try {
    for (std::uint32_t slot = 0; slot < shape.slot_process.size(); ++slot) follow_slot(slot, initial);
  } catch (const Unsuitable& unsuitable) {
    return unsuitable.why;
  }
  slots_.back().first_node = static_cast<std::uint32_t>(nodes_.size());
  slots_.back().first_edge = static_cast<std::uint32_t>(edges_.size());
  find_wanted();
  return std::nullopt;
}

void Futures::find_events(const Shape& shape) {
  const ShapeNode& top = shape.nodes[shape.top];
  if (top.op->synchronises) {
    for (const auto& [label, children] : top.op->events) {
      const auto event = static_cast<std::uint32_t>(events_.size());
      event_of_.emplace(label, event);
      std::vector<std::uint32_t>& partners = events_.emplace_back();
      for (const std::uint32_t child : children) partners.push_back(shape.nodes[top.children[child]].slot);
      std::sort(partners.begin(), partners.end());
      for (const std::uint32_t slot : partners) slots_[slot].events.add(event);
    }
  }
  if (top.op->ends) return;
  termination_ = static_cast<std::uint32_t>(events_.size());
  std::vector<std::uint32_t>& all = events_.emplace_back();
  for (std::uint32_t slot = 0; slot < shape.slot_process.size(); ++slot) all.push_back(slot);
}

void Futures::follow_slot(std::uint32_t slot, std::span<const Unpacked> initial) {
  Slot& own = slots_[slot];
  own.first_node = static_cast<std::uint32_t>(nodes_.size());
  own.first_edge = static_cast<std::uint32_t>(edges_.size());
  for (const Unpacked& state : initial) local_node(slot, state.locals[slot]);
  for (std::uint32_t node = own.first_node; node < nodes_.size(); ++node) expand(slot, node);
}

std::uint32_t Futures::local_node(std::uint32_t slot_number, LocalId local) {
  Slot& slot = slots_[slot_number];
  const auto known = slot.of_local.find(local);
  if (known != slot.of_local.end()) return known->second;
  const std::span<const std::int32_t> parameters = network_.parameters(local);
  if (slot.node_count >= kMostWithParameters) {
    return partial_node(slot_number, network_.position_of(local), {parameters.begin(), parameters.end()},
                        std::vector<std::uint8_t>(parameters.size(), 0));
  }
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  slot.of_local.emplace(local, number);
  ++slot.node_count;
  StaticNode& node = nodes_.emplace_back();
  node.slot = slot_number;
  node.local = local;
  node.position = network_.position_of(local);
  node.parameters.assign(parameters.begin(), parameters.end());
  node.known.assign(parameters.size(), 1);
  return number;
}

std::uint32_t Futures::partial_node(std::uint32_t slot_number, std::uint32_t position,
                                    std::vector<std::int32_t> parameters, std::vector<std::uint8_t> known) {
  Slot& slot = slots_[slot_number];
  if (slot.node_count >= kMostWithParameters) known.assign(known.size(), 0);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == 0) parameters[i] = 0;
  }
  std::vector<std::uint32_t>& there = slot.of_position[position];
  for (const std::uint32_t number : there) {
    if (nodes_[number].known == known && nodes_[number].parameters == parameters) return number;
  }
  if (++slot.node_count > kMostNodes) throw Unsuitable{"a process has very many local states"};
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  there.push_back(number);
  StaticNode& node = nodes_.emplace_back();
  node.slot = slot_number;
  node.position = position;
  node.parameters = std::move(parameters);
  node.known = std::move(known);
  return number;
}

std::uint32_t Futures::node_of(std::uint32_t slot, LocalId local) const {
  const Slot& own = slots_[slot];
  const auto exact = own.of_local.find(local);
  if (exact != own.of_local.end()) return exact->second;
  const std::span<const std::int32_t> parameters = network_.parameters(local);
  for (const std::uint32_t number : own.of_position.at(network_.position_of(local))) {
    const StaticNode& node = nodes_[number];
    bool fits = true;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      fits = fits && (node.known[i] == 0 || node.parameters[i] == parameters[i]);
    }
    if (fits) return number;
  }
  throw std::logic_error("a local state that was not foreseen");
}

bool Futures::overlap(std::uint32_t one, std::uint32_t other) const {
  const StaticNode& left = nodes_[one];
  const StaticNode& right = nodes_[other];
  if (left.position != right.position) return false;
  for (std::size_t i = 0; i < left.known.size(); ++i) {
    if (left.known[i] != 0 && right.known[i] != 0 && left.parameters[i] != right.parameters[i]) return false;
  }
  return true;
}

void Futures::expand(std::uint32_t slot, std::uint32_t number) {
  const LocalId local = nodes_[number].local;
  if (local != kNone && network_.local(local).counted) throw Unsuitable{"processes are counted"};
  if (nodes_[number].position == kTreePosition) throw Unsuitable{"a process becomes several"};
  const Position& text = network_.text(nodes_[number].position);
  if (text.composite) throw Unsuitable{"a process becomes several"};
  nodes_[number].first_edge = static_cast<std::uint32_t>(edges_.size());
  for (std::uint32_t i = 0; i < text.edges.size(); ++i) add_edge(slot, number, text.edges[i], i);
  if (edges_.size() > kMostEdges) throw Unsuitable{"the processes have very many local states"};
  nodes_[number].edge_count = static_cast<std::uint32_t>(edges_.size()) - nodes_[number].first_edge;
}

std::vector<std::int32_t> Futures::filled_in(std::uint32_t node, CodeId code) const {
  return specialise(network_.code(code), nodes_[node].parameters, nodes_[node].known);
}

std::pair<std::vector<std::int32_t>, std::vector<std::uint8_t>> Futures::values(std::uint32_t node,
                                                                                std::span<const CodeId> codes) const {
  std::pair<std::vector<std::int32_t>, std::vector<std::uint8_t>> found;
  for (const CodeId code : codes) {
    const std::optional<std::int32_t> value = constant(filled_in(node, code));
    found.first.push_back(value.value_or(0));
    found.second.push_back(value ? 1 : 0);
  }
  return found;
}

void Futures::add_edge(std::uint32_t slot, std::uint32_t node, const Edge& edge, std::uint32_t number) {
  const std::size_t variables = network_.variable_count();
  StaticEdge found;
  found.slot = slot;
  found.node = node;
  found.number = number;
  EdgeSummary& summary = found.summary;
  if (edge.guard != kNoCode) summary.add_guard(filled_in(node, edge.guard).data(), variables);
  if (edge.update != kNoCode) summary.add_update(filled_in(node, edge.update).data(), variables);
  for (const CodeId argument : edge.target_arguments) {
    summary.add_expression(filled_in(node, argument).data(), variables);
  }
  if (edge.kind == MoveKind::kTermination) {
    if (termination_ == kNone) return;  // the whole ends without a step
    found.role = StaticEdge::Role::kShared;
    found.event = termination_;
  } else if (edge.kind != MoveKind::kInternal) {
    add_offer(node, found, edge);
  }
  const auto base = static_cast<std::uint32_t>(edges_.size());
  if (!summary.never_enabled) {
    if (edge.target == kErrorLocal) {
      can_fail_ = true;
    } else {
      found.target = target_node(slot, node, edge);
    }
    edges_.push_back(found);
  }
  add_failures(found, base);
}

std::uint32_t Futures::target_node(std::uint32_t slot, std::uint32_t node, const Edge& edge) {
  auto [parameters, known] = values(node, edge.target_arguments);
  if (std::find(known.begin(), known.end(), 0) == known.end()) {
    return local_node(slot, network_.intern_local(edge.target, parameters));
  }
  return partial_node(slot, edge.target, std::move(parameters), std::move(known));
}

// The label of an edge, and whom it is shared with.
void Futures::add_offer(std::uint32_t node, StaticEdge& found, const Edge& edge) {
  for (const CodeId argument : edge.label_arguments) {
    found.summary.add_expression(filled_in(node, argument).data(), network_.variable_count());
  }
  const auto [arguments, known] = values(node, edge.label_arguments);
  const bool has_label = edge.kind != MoveKind::kReceive && std::find(known.begin(), known.end(), 0) == known.end();
  const LabelId label = has_label ? network_.labels.event(edge.name, arguments) : kNone;
  StaticNode& own = nodes_[node];
  if (has_label) {
    own.labels.add(label);
  } else {
    own.any_label = true;
  }
  if (edge.annotation != kNotAnnotated) {
    wants_any_ = wants_any_ || !has_label;
    if (has_label) wanted_labels_.add(label);
  }
  own.guards.unite(found.summary.guard_reads());
  const NumberSet& events = slots_[found.slot].events;
  if (edge.kind != MoveKind::kEvent) {
    add_handshake(node, found, edge);
  } else if (edge.synchronises && !has_label) {
    if (events != NumberSet{}) found.role = StaticEdge::Role::kUnclear;
  } else if (edge.synchronises) {
    const auto event = event_of_.find(label);
    if (event == event_of_.end() || !events.has(event->second)) return;
    found.role = StaticEdge::Role::kShared;
    found.event = event->second;
  }
}

void Futures::add_handshake(std::uint32_t node, StaticEdge& found, const Edge& edge) {
  const Handshake& handshake = edge.handshake;
  const std::size_t variables = network_.variable_count();
  found.role = edge.kind == MoveKind::kSend ? StaticEdge::Role::kSends : StaticEdge::Role::kReceives;
  const std::vector<std::int32_t> index = filled_in(node, handshake.index);
  if (const std::optional<std::int32_t> value = constant(index); value && *value >= 0) {
    found.channel = handshake.channel + static_cast<std::uint32_t>(*value);
  }
  found.summary.add_expression(index.data(), variables);
  for (const CodeId value : handshake.values) found.summary.add_expression(filled_in(node, value).data(), variables);
  if (handshake.accepts != kNoCode) {
    found.summary.add_expression(filled_in(node, handshake.accepts).data(), variables);
  }
  nodes_[node].guards.unite(found.summary.reads);  // whether there is a handshake depends on all that
}

// A failure is an edge with the guard under which it happens.
void Futures::add_failures(const StaticEdge& edge, std::uint32_t base) {
  const EdgeSummary& summary = edge.summary;
  StaticEdge failure;
  failure.slot = edge.slot;
  failure.node = edge.node;
  failure.number = edge.number;
  if (summary.guard_can_fail) {
    failure.role = StaticEdge::Role::kFailingGuard;
    const auto before = static_cast<std::ptrdiff_t>(summary.tests_before_failure);
    failure.summary.tests.assign(summary.tests.begin(), summary.tests.begin() + before);
    // the tests after that decide whether a later conjunct is evaluated, which may fail as well
    failure.summary.rest = summary.rest;
    for (std::size_t i = summary.tests_before_failure; i < summary.tests.size(); ++i) {
      failure.summary.rest.add(summary.tests[i].variable);
    }
    failure.summary.has_rest = true;
    edges_.push_back(failure);
  }
  can_fail_ = can_fail_ || summary.guard_can_fail;
  if (summary.never_enabled) return;
  can_fail_ = can_fail_ || summary.fails_by_reads || !summary.failures.empty();
  failure.role = StaticEdge::Role::kFailingEffect;
  failure.base = base;
  failure.summary.tests = summary.tests;
  failure.summary.rest = summary.rest;
  failure.summary.has_rest = summary.has_rest;
  for (const Test& test : summary.failures) {
    if (test.low > Test::kHighest || test.high < Test::kLowest) continue;  // it never holds
    edges_.push_back(failure);
    edges_.back().summary.tests.push_back(test);
  }
  if (!summary.fails_by_reads) return;
  failure.summary.rest.unite(summary.reads);
  failure.summary.has_rest = true;
  edges_.push_back(failure);
}

// Which processes offer an event that is annotated somewhere, and what its guards look at.
void Futures::find_wanted() {
  if (!wants_any_ && wanted_labels_ == NumberSet{}) return;
  for (StaticNode& node : nodes_) {
    node.wanted = node.any_label || node.labels.meets(wanted_labels_) || (wants_any_ && node.labels != NumberSet{});
    if (node.wanted) wanted_variables_.unite(node.guards);
  }
  std::vector<std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>> at_position(slots_.size());
  for (std::uint32_t number = 0; number < nodes_.size(); ++number) {
    at_position[nodes_[number].slot][nodes_[number].position].push_back(number);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto edge = edges_.rbegin(); edge != edges_.rend(); ++edge) {
      if (nodes_[edge->node].wanted || edge->target == kNone) continue;
      const std::vector<std::uint32_t>& there = at_position[edge->slot][nodes_[edge->target].position];
      const bool leads_on = std::any_of(there.begin(), there.end(), [&](std::uint32_t next) {
        return nodes_[next].wanted && overlap(next, edge->target);
      });
      nodes_[edge->node].wanted = leads_on;
      changed = changed || leads_on;
    }
  }
}

}  // namespace fairlead
