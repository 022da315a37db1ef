// Divergence: which states can make internal steps forever.
#pragma once

#include "behaviour/visible.hpp"
#include "search/lasso.hpp"

namespace fairlead {

// Components of the graph of internal steps, found on demand by depth-first search (Gabow's path-based
// algorithm). Invariants: kind_[s] is kUnknown while s is on live_; roots_ holds the places in live_ where the
// components of the current path begin.
class Divergence {
 public:
  enum class Kind : std::uint8_t { kUnknown, kConverges, kReachesCycle, kOnCycle };

  Divergence(Graph& graph, VisibleEvents& events);

  // Throws LimitReached when the graph gets more states than the limit.
  Kind kind(StateId state, std::size_t state_limit) {
    if (state < kind_.size() && kind_[state] != Kind::kUnknown) return kind_[state];
    return search(state, state_limit);
  }
  // A shortest cycle of internal steps through a state that is on one.
  std::vector<RunStep> cycle(StateId state);

 private:
  struct Frame {
    StateId state;
    std::uint32_t next;  // edge to look at
    std::uint32_t place;  // in live_
    bool reaches;  // a cycle, by what is finished
    bool loops;    // has an internal step to itself
  };

  Kind search(StateId start, std::size_t state_limit);
  void enter(StateId state);
  void advance(StateId target);
  void leave();

  Graph& graph_;
  VisibleEvents& events_;
  ChunkedVector<Kind> kind_;
  ChunkedVector<std::uint32_t> place_;  // in live_, plus 1; 0 for a state never met
  ChunkedVector<Frame> frames_;
  ChunkedVector<StateId> live_;
  ChunkedVector<std::uint32_t> roots_;
  EdgeBuffer edges_;
};

}  // namespace fairlead
