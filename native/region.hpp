// The states from which some execution is fair. Under conditions such as "a is taken again and again" these
// need not be all: a finite run may have made them impossible.
#pragma once

#include "components.hpp"

namespace fairlead {

class FairRegion {
 public:
  // `product` is that with the automaton of one state that accepts everything; its graph must be complete.
  FairRegion(Product& product, Fairness fairness);

  [[nodiscard]] bool has(StateId state) const { return fair_[state] != 0; }
  // Whether some initial state is in the region.
  [[nodiscard]] bool has_start() const;
  // Whether all states that were reached are in it.
  [[nodiscard]] bool has_all() const { return outside_ == 0; }
  // A shortest way to a state outside the region: states with the actions before them, the first one initial.
  [[nodiscard]] std::vector<std::pair<ActionId, StateId>> way_out();

 private:
  // Whether a step leads from a part into the region.
  bool leads_in(const std::vector<NodeId>& part);

  Product& product_;
  ChunkedVector<std::uint8_t> fair_;  // per state
  std::uint64_t outside_ = 0;
};

}  // namespace fairlead
