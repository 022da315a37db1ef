// The cheapest run to a goal: Dijkstra's algorithm on a graph that is explored as it goes. If costs are known not to be
// negative, only states that do not cost more than the goal are expanded. Of equally cheap runs, a shortest one is found.
#pragma once

#include <map>

#include "behaviour/step_costs.hpp"

namespace fairlead {

class Cheapest {
 public:
  Cheapest(NetworkGraph& graph, const CostQuestion& question)
      : graph_(graph), costs_(graph, question), nodes_(graph.budget()), waiting_(graph.budget()) {}

  BestRun search(std::size_t state_limit);

 private:
  static constexpr std::int64_t kUnknown = INT64_MAX;
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};
  // Cost and number of steps: runs are compared by both.
  using Rank = std::pair<std::int64_t, std::uint32_t>;

  // Invariant: cost and steps are those of the best run to the state known so far, which ends with `action` from `from`.
  struct Node {
    std::int64_t cost = kUnknown;
    std::int32_t value = 0;  // of the expression in the state
    std::uint32_t steps = 0;
    StateId from = kNone;
    ActionId action = kIdleAction;
  };
  // States that wait, in lists of equal rank.
  struct Waiting {
    StateId state;
    std::uint32_t next;
  };

  // False if a step has a negative cost.
  bool expand(StateId state);
  // Notes a run to a state, if none that is as good is known.
  void meet(StateId state, Rank rank, StateId from, ActionId action);
  // What a step into a state costs.
  [[nodiscard]] std::int64_t cost_into(StateId state);
  [[nodiscard]] BestRun best_run(StateId goal);

  NetworkGraph& graph_;
  StepCosts costs_;
  ChunkedVector<Node> nodes_;  // per state
  ChunkedVector<Waiting> waiting_;
  std::uint32_t unused_ = kEnd;  // places of waiting_ that can be used again
  std::map<Rank, std::uint32_t> first_;
  EdgeBuffer buffer_;
};

}  // namespace fairlead
