#include "search/fair_states.hpp"

namespace fairlead {

namespace {
// a round must deal with this part of the states for another one to be worth while
constexpr std::size_t kWorthwhile = 4;
constexpr std::size_t kAhead = 8;
}  // namespace

FairStates::FairStates(Product& product, const ReverseSteps& reverse, const StepFilter& filter, Fairness fairness)
    : product_(product), graph_(product.graph()), reverse_(reverse), filter_(filter), fairness_(std::move(fairness)) {}

BitSet FairStates::forwards(StateId start, const BitSet& inside, StateId& last) {
  BitSet met = none();
  ChunkedVector<StateId> queue(graph_.budget());
  EdgeBuffer buffer;
  met.add(start);
  queue.push_back(start);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph_.ticker().tick();
    if (i + 2 * kAhead < queue.size()) graph_.prefetch_edges(queue[i + 2 * kAhead]);
    if (i + kAhead < queue.size()) graph_.prefetch_targets(queue[i + kAhead]);
    const EdgeSpan edges = graph_.edges(queue[i], buffer);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      const StateId target = edges.targets[k];
      if (met.has(target) || !inside.has(target) || !filter_.allows(target, edges.actions[k])) continue;
      met.add(target);
      queue.push_back(target);
    }
  }
  last = queue[queue.size() - 1];
  return met;
}

BitSet FairStates::backwards(const BitSet& goal, const BitSet& inside) {
  BitSet met = none();
  ChunkedVector<StateId> queue(graph_.budget());
  goal.for_each([&](std::size_t state) {
    met.add(state);
    queue.push_back(static_cast<StateId>(state));
  });
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph_.ticker().tick();
    if (i + 2 * kAhead < queue.size()) reverse_.prefetch_range(queue[i + 2 * kAhead]);
    if (i + kAhead < queue.size()) reverse_.prefetch_sources(queue[i + kAhead]);
    const StateId state = queue[i];
    reverse_.for_each_into(state, [&](StateId source, std::uint32_t kind) {
      if (met.has(source) || !inside.has(source) || !filter_.allows_kind(state, kind)) return;
      met.add(source);
      queue.push_back(source);
    });
  }
  return met;
}

BitSet FairStates::find(BitSet candidates) {
  BitSet all = none();
  all.unite(candidates);
  BitSet result = none();
  FairParts parts(product_, fairness_);
  std::size_t left = candidates.count();
  for (bool worthwhile = true; worthwhile && left != 0;) {
    // the last state that is met is likely to lie in a component that is not left any more
    StateId pivot = 0;
    forwards(static_cast<StateId>(candidates.last()), candidates, pivot);
    StateId last = 0;
    const BitSet reached = forwards(pivot, candidates, last);
    BitSet component = none();
    component.add(pivot);
    component = backwards(component, reached);
    std::vector<NodeId> nodes;
    component.for_each([&](std::size_t state) { nodes.push_back(make_node(static_cast<StateId>(state), 0)); });
    if (parts.has_fair_part(nodes)) {
      result.unite(backwards(component, all));  // over components that are not fair themselves as well
      candidates.subtract(result);
    }
    candidates.subtract(component);
    const std::size_t before = left;
    left = candidates.count();
    worthwhile = before - left >= before / kWorthwhile;
  }
  if (left == 0) return result;
  std::vector<NodeId> nodes;
  candidates.for_each([&](std::size_t state) { nodes.push_back(make_node(static_cast<StateId>(state), 0)); });
  const FairRegion region(product_, fairness_, nodes);
  for (const NodeId node : nodes) {
    if (region.has(node)) result.add(state_of(node));
  }
  return backwards(result, all);
}

}  // namespace fairlead
