#include "search/region.hpp"

#include <algorithm>

namespace fairlead {

std::vector<NodeId> first_nodes(Graph& graph) {
  std::vector<NodeId> nodes;
  for (StateId state = 0; state < graph.state_count(); ++state) {
    // states of an explicit graph that were never reached are not expanded
    if (graph.is_expanded(state)) nodes.push_back(make_node(state, 0));
  }
  return nodes;
}

FairRegion::FairRegion(Product& product, const Fairness& fairness, std::vector<NodeId> nodes)
    : product_(product), fair_(product.graph().budget(), product.automaton().states, 0) {
  FairParts parts(product, fairness);
  const NodeSets components = parts.components(std::move(nodes));
  for (std::size_t i = 0; i < components.count(); ++i) {
    product.graph().ticker().tick();
    const std::span<const NodeId> part = components[i];
    // components come before those that lead to them
    if (!leads_in(part) && !parts.has_fair_part(part)) {
      outside_ += part.size();
      continue;
    }
    for (const NodeId node : part) fair_.at(node) = 1;
  }
}

bool FairRegion::leads_in(std::span<const NodeId> part) {
  for (const NodeId node : part) {
    product_.graph().ticker().tick();
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(node, cursor, step)) {
      if (has(step.target)) return true;
    }
  }
  return false;
}

bool FairRegion::has_start() const {
  const std::vector<NodeId>& initial = product_.initial_nodes();
  return std::any_of(initial.begin(), initial.end(), [&](NodeId node) { return has(node); });
}

std::vector<std::pair<ActionId, StateId>> FairRegion::way_out() {
  struct From {
    StateId state;
    ActionId action;
    bool met;
  };
  Graph& graph = product_.graph();
  ChunkedVector<From> from(graph.budget());
  from.resize(graph.state_count(), From{kNone, kIdleAction, false});
  ChunkedVector<StateId> queue(graph.budget());
  auto meet = [&](StateId state, StateId before, ActionId action) {
    if (from[state].met) return;
    from[state] = {before, action, true};
    queue.push_back(state);
  };
  EdgeBuffer buffer;
  for (const StateId start : graph.initial()) meet(start, kNone, kIdleAction);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph.ticker().tick();
    const StateId state = queue[i];
    if (!has(make_node(state, 0))) {
      std::vector<std::pair<ActionId, StateId>> way;
      for (StateId at = state; at != kNone; at = from[at].state) way.emplace_back(from[at].action, at);
      std::reverse(way.begin(), way.end());
      return way;
    }
    const EdgeSpan edges = graph.edges(state, buffer);
    for (std::uint32_t k = 0; k < edges.count; ++k) meet(edges.targets[k], state, edges.actions[k]);
  }
  return {};
}

}  // namespace fairlead
