#include "region.hpp"

#include <algorithm>

namespace fairlead {

FairRegion::FairRegion(Product& product, Fairness fairness)
    : product_(product), fair_(product.graph().budget()) {
  Graph& graph = product.graph();
  fair_.resize(graph.state_count(), 0);
  std::vector<NodeId> nodes;
  for (StateId state = 0; state < graph.state_count(); ++state) {
    // states of an explicit graph that were never reached are not expanded
    if (graph.is_expanded(state)) nodes.push_back(make_node(state, 0));
  }
  FairParts parts(product, fairness);
  // components come before those that lead to them
  for (std::vector<NodeId>& part : parts.components(nodes)) {
    graph.ticker().tick();
    std::vector<NodeId> members = part;
    const bool fair = leads_in(part) || !parts.find(std::move(part)).empty();
    for (const NodeId node : members) fair_[state_of(node)] = fair ? 1 : 0;
    if (!fair) outside_ += members.size();
  }
}

bool FairRegion::leads_in(const std::vector<NodeId>& part) {
  Graph& graph = product_.graph();
  for (const NodeId node : part) {
    graph.ticker().tick();
    const EdgeSpan edges = graph.edges(state_of(node));
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      if (fair_[edges.targets[i]] != 0) return true;
    }
  }
  return false;
}

bool FairRegion::has_start() const {
  const std::vector<StateId>& initial = product_.graph().initial();
  return std::any_of(initial.begin(), initial.end(), [&](StateId state) { return has(state); });
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
  for (const StateId start : graph.initial()) meet(start, kNone, kIdleAction);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph.ticker().tick();
    const StateId state = queue[i];
    if (!has(state)) {
      std::vector<std::pair<ActionId, StateId>> way;
      for (StateId at = state; at != kNone; at = from[at].state) way.emplace_back(from[at].action, at);
      std::reverse(way.begin(), way.end());
      return way;
    }
    const EdgeSpan edges = graph.edges(state);
    for (std::uint32_t k = 0; k < edges.count; ++k) meet(edges.targets[k], state, edges.actions[k]);
  }
  return {};
}

}  // namespace fairlead
