// The steps of a complete graph by the state they lead to.
#pragma once

#include "explore/graph.hpp"

namespace fairlead {

class ReverseSteps {
 public:
  // `kinds` gives a kind for every action; where `with_kinds`, steps can be distinguished by them.
  ReverseSteps(Graph& graph, const std::vector<std::uint32_t>& kinds, bool with_kinds);

  // Calls `visit(source, kind)` for the steps into a state; without kinds, all have the kind 0.
  template <typename Visit>
  void for_each_into(StateId state, Visit&& visit) const {
    for (std::uint64_t i = first_[state]; i < first_[state + std::size_t{1}]; ++i) {
      visit(sources_[i], with_kinds_ ? kinds_[i] : 0);
    }
  }
  // Asks for what for_each_into() will look at: first where it is, then the steps.
  void prefetch_range(StateId state) const { __builtin_prefetch(&first_[state]); }
  void prefetch_sources(StateId state) const {
    if (first_[state] < sources_.size()) __builtin_prefetch(&sources_[first_[state]]);
  }

 private:
  bool with_kinds_;
  ChunkedVector<std::uint64_t> first_;  // per state: where the steps into it begin
  ChunkedVector<StateId, 20> sources_;
  ChunkedVector<std::uint32_t, 20> kinds_;
};

}  // namespace fairlead
