// A shortest way to a state of a kind that its transitions tell: nondeterministic, or diverging.
#pragma once

#include "behaviour/divergence.hpp"

namespace fairlead {

enum class ScanGoal { kNondeterministic, kDivergent };

// Breadth-first search of a graph. Pauses at a state that is not expanded yet, so that the graph can be
// explored further in batches.
// Invariant: queue_ holds the states met, in the order of their distance; from_[state] is how one was met.
class Scan {
 public:
  Scan(Graph& graph, ScanGoal goal);

  SearchStatus run(std::size_t state_limit);
  // A shortest run to the state found; if it diverges, with a loop of internal steps.
  [[nodiscard]] Lasso found();

 private:
  struct From {
    StateId source = kNone;
    ActionId action = kIdleAction;
    bool met = false;
  };

  void meet(StateId state, StateId source, ActionId action);
  bool is_goal(StateId state, std::size_t state_limit);
  bool is_nondeterministic(EdgeSpan edges);

  Graph& graph_;
  ScanGoal goal_;
  EventTable table_;
  VisibleEvents events_;
  Divergence divergence_;
  ChunkedVector<From> from_;
  ChunkedVector<StateId> queue_;
  std::size_t next_ = 0;
  std::vector<std::uint64_t> successors_;
  EdgeBuffer edges_;
};

}  // namespace fairlead
