#include "search/components.hpp"

#include <algorithm>

namespace fairlead {

ComponentSearch::ComponentSearch(Product& product, const Fairness& fairness, bool early, bool complete)
    : product_(product),
      fair_(product, fairness),
      early_(early && !fairness.global),  // a closed part is a whole component
      from_everywhere_(complete && product.initial_waits()),
      numbers_(product.graph().budget(), product.automaton().states, 0),
      live_(product.graph().budget()) {
  if (complete && !early && LayerSearch::fits(product)) layers_ = std::make_unique<LayerSearch>(product, fair_);
}

ComponentSearch::ComponentSearch(Product& product, const Fairness& fairness, std::vector<NodeId> starts)
    : ComponentSearch(product, fairness, true, false) {
  started_ = true;
  starts_ = std::move(starts);
}

// The next node to start from: the initial ones, then, where the automaton may wait in its first state for
// as long as it likes, the nodes it enters from there anywhere in the graph.
bool ComponentSearch::next_start(NodeId& start) {
  Graph& graph = product_.graph();
  if (!started_) {
    started_ = true;
    for (const NodeId node : product_.initial_nodes()) {
      const bool waits = automaton_state_of(node) == product_.automaton().initial;
      if (!from_everywhere_ || !waits) starts_.push_back(node);
    }
    std::reverse(starts_.begin(), starts_.end());
  }
  for (;;) {
    while (!starts_.empty()) {
      start = starts_.back();
      starts_.pop_back();
      if (numbers_.get(start) == 0) return true;
    }
    if (!from_everywhere_ || next_entered_from_ >= graph.state_count()) return false;
    graph.ticker().tick();
    // states of an explicit graph that were never reached are not expanded
    if (graph.is_expanded(next_entered_from_)) product_.entries_from(next_entered_from_, starts_);
    ++next_entered_from_;
  }
}

void ComponentSearch::push(NodeId node, Marks arriving) {
  numbers_.at(node) = ++counter_;
  ++node_count_;
  roots_.push_back(Root{counter_, 0, arriving, 0});
  live_.push_back(node);
  frames_.push_back(Frame{node, {}});
  // the successors will be examined one after the other: ask for all of them now
  const EdgeSpan edges = product_.edges(node);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    numbers_.prefetch(make_node(edges.targets[i], automaton_state_of(node)));
    product_.graph().prefetch_edges(edges.targets[i]);
  }
  product_.prefetch(node);
}

void ComponentSearch::merge(std::uint32_t number, Marks marks) {
  std::uint32_t tried = 0;
  while (roots_.back().number > number) {
    marks |= roots_.back().marks | roots_.back().arriving;
    tried = std::max(tried, roots_.back().tried);
    roots_.pop_back();
  }
  roots_.back().marks |= marks;
  roots_.back().tried = std::max(tried, roots_.back().tried);
}

// An unfinished component is strongly connected already; it is offered each time it has grown fourfold, so
// that a bug is found before the whole component is known. No more nodes are judged than were met, so that the cost stays
// linear even where many small components are merged again and again.
bool ComponentSearch::offer_unfinished() {
  Root& root = roots_.back();
  if (!early_ || root.marks != product_.automaton().all_marks()) return false;
  const std::uint32_t size = counter_ - root.number + 1;
  if (size < 4 * root.tried || size == root.tried || offered_ + size > node_count_ + kFirstOffers) return false;
  root.tried = size;
  offered_ += size;
  std::vector<NodeId> nodes;
  for (std::size_t i = root.number - 1; i < live_.size(); ++i) nodes.push_back(live_[i]);
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

bool ComponentSearch::finish(NodeId node) {
  if (roots_.back().number != numbers_.get(node)) return false;
  const Root root = roots_.back();
  roots_.pop_back();
  const std::size_t first = root.number - 1;
  std::vector<NodeId> nodes;
  const bool candidate =
      root.marks == product_.automaton().all_marks() && product_.automaton().may_accept[automaton_state_of(node)];
  for (std::size_t i = first; i < live_.size(); ++i) {
    if (candidate) nodes.push_back(live_[i]);
    numbers_.at(live_[i]) = kFinished;
  }
  counter_ = root.number - 1;
  live_.resize_uninitialised(first);
  if (!candidate) return false;
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

SearchStatus ComponentSearch::run(std::uint64_t steps) {
  if (layers_) {
    if (!layers_->run()) return SearchStatus::kNone;
    part_ = std::move(layers_->part());
    return SearchStatus::kFound;
  }
  for (;;) {
    if (frames_.empty()) {
      NodeId start = kNoNode;
      if (!next_start(start)) return SearchStatus::kNone;
      push(start, 0);
      continue;
    }
    if (steps-- == 0) return SearchStatus::kPaused;
    product_.graph().ticker().tick();
    Frame& frame = frames_.back();
    ProductStep step;
    if (product_.next(frame.node, frame.cursor, step)) {
      const std::uint32_t known = numbers_.get(step.target);
      if (known == 0) {
        push(step.target, step.marks);
      } else if (known != kFinished) {
        merge(known, step.marks);
        if (offer_unfinished()) return SearchStatus::kFound;
      }
      continue;
    }
    const NodeId node = frame.node;
    frames_.pop_back();
    if (finish(node)) return SearchStatus::kFound;
  }
}

}  // namespace fairlead
