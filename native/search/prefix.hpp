// Safety: a shortest run after which the automaton of the negated property accepts whatever follows.
#pragma once

#include "search/lasso.hpp"

namespace fairlead {

// Breadth-first search of the product for an automaton state that accepts every continuation.
// Invariant: queue_ holds the nodes met, in the order of their distance; from_[node] is how it was met.
class PrefixSearch {
 public:
  PrefixSearch(Product& product, std::vector<std::uint8_t> accepts_everything);

  // Continues until a bad prefix is found (kFound), there is none (kNone) or the graph has more states than the limit.
  SearchStatus run(std::size_t state_limit);
  // The bad prefix, as a lasso without a loop.
  [[nodiscard]] Lasso prefix() const;
  [[nodiscard]] bool is_found() const { return found_ != kNoNode; }
  [[nodiscard]] std::uint64_t node_count() const { return queue_.size(); }
  // How many steps the node that comes next lies from the start: all bad prefixes of so many steps have been met.
  [[nodiscard]] std::size_t depth() const;

 private:
  bool meet(NodeId node, NodeId previous, ActionId action);

  struct From {
    NodeId node = kNoNode;
    ActionId action = kIdleAction;
    bool met = false;
  };

  Product& product_;
  std::vector<std::uint8_t> accepts_everything_;
  LayeredArray<From> from_;
  ChunkedVector<NodeId> queue_;
  std::size_t next_ = 0;
  bool started_ = false;
  NodeId found_ = kNoNode;
};

}  // namespace fairlead
