#include "search/prefix.hpp"

#include <algorithm>

namespace fairlead {

PrefixSearch::PrefixSearch(Product& product, std::vector<std::uint8_t> accepts_everything)
    : product_(product),
      accepts_everything_(std::move(accepts_everything)),
      from_(product.graph().budget(), product.automaton().states, From{}),
      queue_(product.graph().budget()) {}

bool PrefixSearch::meet(NodeId node, NodeId previous, ActionId action) {
  if (from_.get(node).met) return false;
  from_.at(node) = From{previous, action, true};
  queue_.push_back(node);
  if (!accepts_everything_[automaton_state_of(node)]) return false;
  found_ = node;
  return true;
}

SearchStatus PrefixSearch::run(std::size_t state_limit) {
  if (!started_) {
    started_ = true;
    for (const NodeId node : product_.initial_nodes()) {
      if (meet(node, kNoNode, kIdleAction)) return SearchStatus::kFound;
    }
  }
  for (; next_ < queue_.size(); ++next_) {
    product_.graph().ticker().tick();
    if (product_.graph().state_count() > state_limit) return SearchStatus::kPaused;
    const NodeId node = queue_[next_];
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(node, cursor, step)) {
      if (meet(step.target, node, step.action)) return SearchStatus::kFound;
    }
  }
  return SearchStatus::kNone;
}

std::size_t PrefixSearch::depth() const {
  if (next_ >= queue_.size()) return 0;
  std::size_t steps = 0;
  for (NodeId at = queue_[next_]; from_.get(at).node != kNoNode; at = from_.get(at).node) ++steps;
  return steps;
}

Lasso PrefixSearch::prefix() const {
  Lasso lasso;
  NodeId at = found_;
  for (; from_.get(at).node != kNoNode; at = from_.get(at).node) {
    lasso.stem.push_back({from_.get(at).action, state_of(at)});
  }
  std::reverse(lasso.stem.begin(), lasso.stem.end());
  lasso.start = state_of(at);
  return lasso;
}

}  // namespace fairlead
