#include "behaviour/cheapest.hpp"

#include <algorithm>

namespace fairlead {

BestRun Cheapest::search(std::size_t state_limit) {
  BestRun found;
  StateId goal = kNone;
  for (const StateId start : graph_.initial()) meet(start, {cost_into(start), 0}, kNone, kIdleAction);
  while (!first_.empty()) {
    const auto [rank, first] = *first_.begin();
    first_.erase(first_.begin());
    // whatever is met from here on has a higher rank
    for (std::uint32_t at = first; at != kEnd;) {
      graph_.ticker().tick();
      const Waiting waiting = waiting_[at];
      waiting_[at].next = unused_;
      unused_ = at;
      at = waiting.next;
      const Node& node = nodes_[waiting.state];
      if (Rank{node.cost, node.steps} != rank) continue;  // a better run was found since
      if (goal == kNone && costs_.is_goal(waiting.state)) {
        goal = waiting.state;
        if (costs_.are_known()) return best_run(goal);
      }
      if (graph_.state_count() > state_limit) {
        found.status = CostStatus::kStateLimit;
        return found;
      }
      if (!expand(waiting.state)) {
        found.status = CostStatus::kBothSigns;
        return found;
      }
    }
  }
  return goal == kNone ? found : best_run(goal);
}

bool Cheapest::expand(StateId state) {
  const EdgeSpan edges = graph_.edges(state, buffer_);
  const Node node = nodes_[state];
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    const std::int64_t into = cost_into(edges.targets[i]);
    const std::int64_t cost = costs_.is_free(edges.actions[i]) ? 0 : into;
    if (cost < 0) return false;
    meet(edges.targets[i], {node.cost + cost, node.steps + 1}, state, edges.actions[i]);
  }
  return true;
}

void Cheapest::meet(StateId state, Rank rank, StateId from, ActionId action) {
  Node& node = nodes_[state];
  if (Rank{node.cost, node.steps} <= rank) return;
  node.cost = rank.first;
  node.steps = rank.second;
  node.from = from;
  node.action = action;
  std::uint32_t at = unused_;
  if (at == kEnd) {
    at = static_cast<std::uint32_t>(waiting_.size());
    waiting_.push_back({});
  } else {
    unused_ = waiting_[at].next;
  }
  const auto [place, is_new] = first_.try_emplace(rank, kEnd);
  waiting_[at] = {state, place->second};
  place->second = at;
}

// A state that was met before has its value.
std::int64_t Cheapest::cost_into(StateId state) {
  if (nodes_.size() <= state) nodes_.resize(graph_.state_count(), Node{});
  Node& node = nodes_[state];
  if (node.cost == kUnknown) node.value = costs_.value(state);
  return costs_.cost(node.value);
}

BestRun Cheapest::best_run(StateId goal) {
  BestRun found;
  costs_.set_value(found, nodes_[goal].cost);
  StateId at = goal;
  for (; nodes_[at].from != kNone; at = nodes_[at].from) found.steps.push_back({nodes_[at].action, at});
  found.start = at;
  std::reverse(found.steps.begin(), found.steps.end());
  return found;
}

}  // namespace fairlead
