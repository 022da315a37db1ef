#include "behaviour/scan.hpp"

#include <algorithm>

namespace fairlead {

Scan::Scan(Graph& graph, ScanGoal goal)
    : graph_(graph),
      goal_(goal),
      events_(graph, table_),
      divergence_(graph, events_),
      from_(graph.budget()),
      queue_(graph.budget()) {}

void Scan::meet(StateId state, StateId source, ActionId action) {
  if (from_.size() <= state) from_.resize(std::max<std::size_t>(state + 1, graph_.state_count()), From{});
  if (from_[state].met) return;
  from_[state] = From{source, action, true};
  queue_.push_back(state);
}

bool Scan::is_nondeterministic(EdgeSpan edges) {
  if (edges.count < 2) return false;
  successors_.clear();
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    successors_.push_back((std::uint64_t{events_(edges.actions[i])} << 32) | edges.targets[i]);
  }
  std::sort(successors_.begin(), successors_.end());
  for (std::size_t i = 1; i < successors_.size(); ++i) {
    if (successors_[i] != successors_[i - 1] && successors_[i] >> 32 == successors_[i - 1] >> 32) return true;
  }
  return false;
}

bool Scan::is_goal(StateId state, std::size_t state_limit) {
  if (goal_ == ScanGoal::kNondeterministic) return is_nondeterministic(graph_.edges(state, edges_));
  return divergence_.kind(state, state_limit) == Divergence::Kind::kOnCycle;
}

SearchStatus Scan::run(std::size_t state_limit) {
  if (queue_.size() == 0) {
    for (const StateId state : graph_.initial()) meet(state, kNone, kIdleAction);
  }
  for (; next_ < queue_.size(); ++next_) {
    graph_.ticker().tick();
    const StateId state = queue_[next_];
    if (!graph_.is_expanded(state)) return SearchStatus::kPaused;
    if (is_goal(state, state_limit)) return SearchStatus::kFound;
    const EdgeSpan edges = graph_.edges(state, edges_);
    for (std::uint32_t i = 0; i < edges.count; ++i) meet(edges.targets[i], state, edges.actions[i]);
  }
  return SearchStatus::kNone;
}

Lasso Scan::found() {
  Lasso lasso;
  StateId at = queue_[next_];
  if (goal_ == ScanGoal::kDivergent) lasso.loop = divergence_.cycle(at);
  for (; from_[at].source != kNone; at = from_[at].source) lasso.stem.push_back({from_[at].action, at});
  std::reverse(lasso.stem.begin(), lasso.stem.end());
  lasso.start = at;
  return lasso;
}

}  // namespace fairlead
