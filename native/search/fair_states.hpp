// The states from which a fair path continues over allowed steps: fair components, and what leads to them.
//
// Components are found from a state by going forwards and backwards, which on large components is faster than a
// depth-first search, and needs none of those components from which a fair one can be reached. Where that gets
// nowhere, since components are many and small, depth-first search takes over.
#pragma once

#include "explore/reverse.hpp"
#include "search/region.hpp"

namespace fairlead {

class FairStates {
 public:
  // `product` is that with the automaton of one state that accepts everything, with the same filter.
  FairStates(Product& product, const ReverseSteps& reverse, const StepFilter& filter, Fairness fairness);

  // The states among the candidates, which every allowed step leads to.
  BitSet find(BitSet candidates);

 private:
  [[nodiscard]] BitSet none() const { return {graph_.budget(), graph_.state_count()}; }
  // What can be reached from a state without leaving `inside`; the last state met is in `last`.
  BitSet forwards(StateId start, const BitSet& inside, StateId& last);
  // The states of `inside` from which one of `goal` can be reached.
  BitSet backwards(const BitSet& goal, const BitSet& inside);

  Product& product_;
  Graph& graph_;
  const ReverseSteps& reverse_;
  const StepFilter& filter_;
  Fairness fairness_;
};

}  // namespace fairlead
