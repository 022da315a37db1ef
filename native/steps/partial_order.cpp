#include "steps/partial_order.hpp"

#include <algorithm>

namespace fairlead {

namespace {
using Role = StaticEdge::Role;
constexpr std::size_t kNoLimit = ~std::size_t{0};
constexpr std::size_t kMostEntries = std::size_t{1} << 26;  // of lists of edges
}  // namespace

std::optional<std::string> PartialOrder::prepare(std::span<const Unpacked> initial) {
  shape_ = initial[0].shape;
  for (const Unpacked& state : initial) {
    if (state.shape != shape_) return "the initial states are of different kinds";
  }
  const Shape& shape = network_.shape(shape_);
  const std::size_t slots = shape.slot_process.size();
  if (slots > SlotSet::kMost) return "there are more than 256 processes";
  if (const auto why = futures_.follow(initial)) return why;
  if (shape.hides && sight_.annotations) {
    const Operator& hiding = *shape.nodes[0].op;
    bool hides_wanted = futures_.wants_any();
    futures_.wanted_labels().for_each(
        [&](std::size_t label) { hides_wanted = hides_wanted || hiding.has(static_cast<LabelId>(label)); });
    if (hides_wanted) return "annotated events are hidden";
  }
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    const ProcessId process = shape.slot_process[slot];
    if (slot_of_.size() <= process) slot_of_.resize(process + 1, kNone);
    if (slot_of_[process] != kNone) return "several processes have one name";
    slot_of_[process] = slot;
  }
  for (const CodeId condition : sight_.conditions) {
    Footprint looked_at;
    looked_at.add_code(network_.code(condition), network_.variable_count());
    seen_variables_.unite(looked_at.reads);
  }
  for (const LabelId label : sight_.labels) seen_labels_.add(label);
  for (const ProcessId process : sight_.processes) {
    if (process < slot_of_.size() && slot_of_[process] != kNone) seen_slots_.add(slot_of_[process]);
  }
  if (sight_.annotations) seen_variables_.unite(futures_.wanted_variables());
  dependence_ = std::make_unique<Dependence>(futures_);
  if (dependence_->most_entries() > kMostEntries) return "very many steps depend on each other";
  nodes_.resize(slots);
  // what a message in a buffer becomes depends on what is put into it meanwhile, which accords
  moves_seen_messages_.assign(futures_.node_count(), 0);
  for (const StaticEdge& edge : futures_.edges()) {
    for (const Change& change : edge.summary.changes) {
      const bool is_message = change.kind == ChangeKind::kEnqueue || change.kind == ChangeKind::kDequeue;
      if (is_message && seen_variables_.has(change.variable)) moves_seen_messages_[edge.node] = 1;
    }
  }
  return std::nullopt;
}

void PartialOrder::refresh() {
  if (version_ == layout_.version() && !fields_.empty()) return;
  require_growth();
  version_ = layout_.version();
  fields_.clear();
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) fields_.push_back(layout_.slot_field(shape_, slot));
  seen_bits_.assign(layout_.words(), 0);
  seen_variables_.for_each([&](std::size_t variable) {
    const Field field = layout_.value_field(variable);
    seen_bits_[field.word] |= field.mask() << field.shift;
  });
}

std::uint32_t PartialOrder::node_of(std::uint32_t slot, std::size_t number) {
  std::vector<std::uint32_t>& known = nodes_[slot];
  if (number >= known.size() || known[number] == kNone) {
    require_growth();
    if (number >= known.size()) known.resize(number + 1, kNone);
    known[number] = futures_.node_of(slot, layout_.local(shape_, slot, number));
  }
  return known[number];
}

bool PartialOrder::select(const std::uint64_t* record, SuccessorBuffer& out, std::size_t first) {
  if (layout_.shape_of(record) != shape_) return false;
  refresh();
  if (out.size() - first < 2) return false;
  thread_local Work work;
  if (!look(work, record, out, first)) return false;
  std::optional<SlotSet> best;
  std::size_t fewest = work.takers.size();
  // processes that others use mostly come last, and a choice that needs one of these fails sooner once it is known to be hopeless
  for (auto start = static_cast<std::uint32_t>(fields_.size()); start-- > 0 && fewest > 1;) {
    if (!work.movers.has(start)) continue;
    work.fewest = fewest;
    if (!close(work, start)) {
      work.hopeless.add(start);
      continue;
    }
    std::size_t count = 0;
    bool seen = false;
    for (std::size_t step = 0; step < work.takers.size(); ++step) {
      if (!work.whole.includes(work.takers[step])) continue;
      ++count;
      seen = seen || work.seen[step] != 0;
    }
    if (seen || count == 0 || count >= fewest) continue;
    fewest = count;
    best = work.whole;
  }
  if (!best) return false;
  keep(out, first, layout_.words(), work, *best);
  return true;
}

// False if all steps are needed.
bool PartialOrder::look(Work& work, const std::uint64_t* record, const SuccessorBuffer& out, std::size_t first) {
  const std::size_t slots = fields_.size();
  const std::size_t edges = futures_.edges().size();
  work.record = record;
  work.has_values = false;
  work.nodes.resize(slots);
  work.locals.resize(slots);
  if (work.enabled.size() < edges) work.enabled.resize(edges, 0);
  if (work.member.size() < edges) work.member.resize(edges, 0);
  ++work.state;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    const auto number = static_cast<std::size_t>(fields_[slot].get(record));
    work.nodes[slot] = node_of(slot, number);
    work.locals[slot] = layout_.local(shape_, slot, number);
  }
  work.alone.assign(slots, 0);
  work.takers.assign(out.size() - first, {});
  work.seen.assign(out.size() - first, 0);
  work.movers = {};
  work.hopeless = {};
  for (std::size_t step = 0; step < work.takers.size(); ++step) {
    const std::size_t at = first + step;
    const bool is_error = std::binary_search(out.errors.begin(), out.errors.end(), at);
    // all processes take part in what changes the composition itself
    if (!is_error && layout_.shape_of(&out.words[at * layout_.words()]) != shape_) return false;
    if (sight_.annotations) {
      const LabelId label = network_.labels.label_of(out.actions[at]);
      // whether it is enabled is read off the steps
      if (futures_.wants_any() || futures_.wanted_labels().has(label)) return false;
    }
    look_at_step(work, out, first, step);
  }
  for (std::uint32_t slot = 0; slot < slots; ++slot) find_enabled(work, slot);
  return true;
}

void PartialOrder::look_at_step(Work& work, const SuccessorBuffer& out, std::size_t first, std::size_t step) {
  const ActionId action = out.actions[first + step];
  SlotSet& takers = work.takers[step];
  bool seen = seen_labels_.has(network_.labels.label_of(action));
  for (const ProcessId process : network_.labels.processes_of(action)) {
    const std::uint32_t slot = slot_of_[process];
    const std::uint32_t node = work.nodes[slot];
    takers.add(slot);
    seen = seen || moves_seen_messages_[node] != 0 || (sight_.annotations && futures_.node(node).wanted);
  }
  seen = seen || takers.meets(seen_slots_);
  const std::uint64_t* words = &out.words[(first + step) * layout_.words()];
  for (std::size_t i = 0; i < seen_bits_.size() && !seen; ++i) {
    seen = ((words[i] ^ work.record[i]) & seen_bits_[i]) != 0;
  }
  work.seen[step] = seen;
  work.movers.unite(takers);
  if (!takers.is_one()) return;
  if (seen) work.hopeless.unite(takers);
  ++work.alone[slot_of_[network_.labels.processes_of(action)[0]]];
}

void PartialOrder::find_enabled(Work& work, std::uint32_t slot) {
  const StaticNode& node = futures_.node(work.nodes[slot]);
  for (std::uint32_t number = node.first_edge; number < node.first_edge + node.edge_count; ++number) {
    if (is_enabled(work, futures_.edges()[number])) work.enabled[number] = work.state;
  }
}

bool PartialOrder::is_enabled(Work& work, const StaticEdge& edge) {
  if (edge.role >= Role::kFailingGuard) return false;  // it would have
  for (const Test& test : edge.summary.tests) {
    if (!test.holds(value(work, test.variable))) return false;
  }
  if (!edge.summary.has_rest) return true;
  if (!work.has_values) {
    layout_.unpack_values(work.record, work.values);
    work.has_values = true;
  }
  const LocalState local = network_.local(work.locals[edge.slot]);
  work.scope.shared = work.values.data();
  work.scope.parameters = local.parameters;
  return network_.enabled(local.edges[edge.number], work.scope);
}

bool PartialOrder::close(Work& work, std::uint32_t start) {
  ++work.set;
  work.whole = {};
  work.steps = 0;
  work.gives_up = false;
  work.engaged.clear();
  work.blocked.clear();
  add_whole(work, start);
  const auto next = [](std::vector<std::uint32_t>& pending) {
    const std::uint32_t edge = pending.back();
    pending.pop_back();
    return edge;
  };
  // where there is no choice first: the better are the choices, and the sooner it is seen that there is no use
  while (!work.gives_up && !(work.engaged.empty() && work.blocked.empty())) {
    if (!work.engaged.empty()) {
      engage(work, next(work.engaged));
    } else {
      block(work, next(work.blocked));
    }
  }
  return !work.gives_up;
}

void PartialOrder::add_whole(Work& work, std::uint32_t slot) {
  if (work.whole.has(slot)) return;
  work.whole.add(slot);
  work.steps += work.alone[slot];
  if (work.hopeless.has(slot) || work.steps >= work.fewest || work.whole.includes(work.movers)) work.gives_up = true;
  const StaticNode& node = futures_.node(work.nodes[slot]);
  for (std::uint32_t i = 0; i < node.edge_count; ++i) add(work, node.first_edge + i);
}

void PartialOrder::engage(Work& work, std::uint32_t edge) {
  const StaticEdge& own = futures_.edges()[edge];
  switch (own.role) {
    case Role::kShared:
      engage_shared(work, edge);
      break;
    case Role::kSends:
    case Role::kReceives:
      engage_half(work, edge);
      break;
    case Role::kUnclear:
      work.gives_up = true;
      break;
    default:
      add_whole(work, own.slot);
      add(work, dependence_->conflicts(edge));
      break;
  }
}

// A shared event that all partners offer needs all of them. One that some do not is not possible until one of these does.
void PartialOrder::engage_shared(Work& work, std::uint32_t edge) {
  const StaticEdge& own = futures_.edges()[edge];
  const StaticEdges* missing = nullptr;
  std::size_t least = kNoLimit;
  for (const std::uint32_t partner : futures_.partners(own.event)) {
    if (offers(work, partner, own.event)) continue;
    const StaticEdges& edges = dependence_->offers(own.event, partner);
    const std::size_t price = cost(work, edges, least);
    if (missing != nullptr && price >= least) continue;
    missing = &edges;
    least = price;
  }
  if (missing != nullptr) {
    add(work, *missing);
    return;
  }
  for (const std::uint32_t partner : futures_.partners(own.event)) add_whole(work, partner);
  add(work, dependence_->conflicts(edge));
}

bool PartialOrder::offers(const Work& work, std::uint32_t slot, std::uint32_t event) {
  const StaticEdges& edges = dependence_->offers(event, slot);
  return std::any_of(edges.begin(), edges.end(), [&](std::uint32_t edge) { return work.enabled[edge] == work.state; });
}

void PartialOrder::engage_half(Work& work, std::uint32_t edge) {
  const StaticEdge& own = futures_.edges()[edge];
  for (const std::uint32_t other : dependence_->halves(edge)) {
    add(work, other);
    if (work.enabled[other] != work.state) continue;
    add_whole(work, own.slot);
    add_whole(work, futures_.edges()[other].slot);
    add(work, dependence_->conflicts(edge));
  }
}

// Of all reasons why an edge is not possible, the one is taken that brings the fewest steps along.
void PartialOrder::block(Work& work, std::uint32_t edge) {
  const StaticEdge& own = futures_.edges()[edge];
  const StaticEdges* best = nullptr;
  std::size_t least = kNoLimit;
  const auto consider = [&](const StaticEdges& edges) {
    const std::size_t price = cost(work, edges, least);
    if (best != nullptr && price >= least) return;
    best = &edges;
    least = price;
  };
  if (work.nodes[own.slot] != own.node) consider(dependence_->into(own.node));
  for (std::uint32_t i = 0; i < own.summary.tests.size(); ++i) {
    const Test& test = own.summary.tests[i];
    const std::int64_t now = value(work, test.variable);
    if (!test.holds(now)) consider(dependence_->enablers(edge, i, now < test.low));
  }
  if (best != nullptr) {
    add(work, *best);
    return;
  }
  if (own.role == Role::kFailingEffect) add(work, own.base);
  add(work, dependence_->rest_enablers(edge));
}

std::size_t PartialOrder::cost(const Work& work, const StaticEdges& edges, std::size_t limit) const {
  constexpr std::size_t kStep = 1000;
  std::size_t sum = 0;
  for (const std::uint32_t edge : edges) {
    if (work.member[edge] == work.set) continue;
    sum += work.enabled[edge] == work.state ? kStep : 1;
    if (sum >= limit) break;
  }
  return sum;
}

void PartialOrder::keep(SuccessorBuffer& out, std::size_t first, std::size_t stride, const Work& work,
                        const SlotSet& chosen) {
  std::size_t kept = first;
  const auto errors = std::lower_bound(out.errors.begin(), out.errors.end(), first);
  auto error = errors;
  auto kept_error = errors;
  for (std::size_t i = first; i < out.size(); ++i) {
    const bool is_error = error != out.errors.end() && *error == i;
    if (is_error) ++error;
    if (!chosen.includes(work.takers[i - first])) continue;
    if (is_error) *kept_error++ = kept;
    if (kept != i) {
      std::copy_n(&out.words[i * stride], stride, &out.words[kept * stride]);
      out.actions[kept] = out.actions[i];
    }
    ++kept;
  }
  out.errors.erase(kept_error, out.errors.end());
  out.truncate(kept, stride);
}

}  // namespace fairlead
