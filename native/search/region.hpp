// The nodes of a product from which some execution is accepting and fair. Under conditions such as "a is taken
// infinitely often" these need not be all: a finite run may have made them impossible.
#pragma once

#include "search/fair_parts.hpp"

namespace fairlead {

class FairRegion {
 public:
  // The region among these nodes, which must have all their successors; the graph must be complete.
  FairRegion(Product& product, const Fairness& fairness, std::vector<NodeId> nodes);

  [[nodiscard]] bool has(NodeId node) const { return fair_.get(node) != 0; }
  // Whether all nodes are in it.
  [[nodiscard]] bool has_all() const { return outside_ == 0; }
  // Whether some initial node is in the region.
  [[nodiscard]] bool has_start() const;
  // A shortest way to a node outside the region: states with the actions before them, the first one initial.
  [[nodiscard]] std::vector<std::pair<ActionId, StateId>> way_out();

 private:
  // Whether a step leads from a part into the region.
  bool leads_in(std::span<const NodeId> part);

  Product& product_;
  LayeredArray<std::uint8_t> fair_;
  std::uint64_t outside_ = 0;
};

// The nodes with the first state of the automaton, for all states that were reached.
std::vector<NodeId> first_nodes(Graph& graph);

}  // namespace fairlead
