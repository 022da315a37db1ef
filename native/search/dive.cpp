#include "search/dive.hpp"

#include <algorithm>

namespace fairlead {

// ---------------------------------------------------------------- what is searched for

bool DiveGoal::is_met(NodeId node, bool is_expanded) {
  if (!accepting_.empty()) return accepting_[automaton_state_of(node)] != 0;
  const StateId state = state_of(node);
  if (goal_ == Goal::kCondition) return graph_.propositions(state, std::span(&condition_, 1)) != 0;
  return is_expanded && product_.edges(node).count == 0 && is_stuck(state);
}

bool DiveGoal::is_stuck(StateId state) {
  switch (goal_) {
    case Goal::kStop:
      return true;
    case Goal::kDeadlock:
      return !graph_.has_failed(state) && !graph_.has_terminated(state);
    case Goal::kUnsafe:
      return !graph_.has_terminated(state);
    default:
      return false;
  }
}

// ---------------------------------------------------------------- diving

Dive::Dive(DiveGoal& goal, DiveOrder order, std::uint64_t seed, std::uint32_t deepest, Closeness* closeness)
    : goal_(goal),
      order_(order),
      random_(seed),
      deepest_(deepest),
      closeness_(closeness),
      depths_(goal.graph().budget(), goal.product().automaton().states, 0),
      entries_(goal.graph().budget()),
      lists_(order == DiveOrder::kNearest ? Closeness::kFarthest + 1 : 1, kEnd) {
  if (order >= DiveOrder::kDownhill && closeness == nullptr) throw std::invalid_argument("nothing to be guided by");
}

void Dive::push(NodeId node, std::uint32_t rank) {
  std::uint32_t at = unused_;
  if (at == kEnd) {
    at = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({node, lists_[rank]});
  } else {
    unused_ = entries_[at].next;
    entries_[at] = {node, lists_[rank]};
  }
  lists_[rank] = at;
  lowest_ = std::min<std::size_t>(lowest_, rank);
}

NodeId Dive::pop() {
  while (lowest_ < lists_.size() && lists_[lowest_] == kEnd) ++lowest_;
  if (lowest_ == lists_.size()) return kNoNode;
  const std::uint32_t at = lists_[lowest_];
  lists_[lowest_] = entries_[at].next;
  entries_[at].next = unused_;
  unused_ = at;
  return entries_[at].node;
}

bool Dive::meet(NodeId node, std::uint32_t depth) {
  if (depths_.get(node) != 0) return false;
  depths_.at(node) = depth + 1;
  fresh_.push_back(node);
  return goal_.is_met(node, false);
}

// Those that are to be visited first are pushed last.
void Dive::push_fresh() {
  if (order_ >= DiveOrder::kRandom) {
    for (std::size_t i = fresh_.size(); i > 1; --i) std::swap(fresh_[i - 1], fresh_[random_.below(i)]);
  } else if (order_ == DiveOrder::kFirst) {
    std::reverse(fresh_.begin(), fresh_.end());
  }
  if (order_ < DiveOrder::kDownhill) {
    for (const NodeId node : fresh_) push(node, 0);
    return;
  }
  ranked_.clear();
  for (const NodeId node : fresh_) {
    ranked_.emplace_back(closeness_->distance(goal_.graph(), state_of(node)), node);
  }
  if (order_ == DiveOrder::kDownhill) {
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  }
  for (const auto& [distance, node] : ranked_) push(node, order_ == DiveOrder::kNearest ? distance : 0);
}

bool Dive::visit(NodeId node) {
  ++work_;
  const std::uint32_t depth = depths_.get(node);
  if (depth > deepest_) return false;
  Product& product = goal_.product();
  const std::uint32_t steps = product.edges(node).count;
  work_ += steps / kFewSteps;
  if (steps == 0 && goal_.is_met(node, true)) return true;
  fresh_.clear();
  SuccessorCursor cursor;
  ProductStep step;
  while (product.next(node, cursor, step)) {
    if (meet(step.target, depth)) return true;
  }
  push_fresh();
  return false;
}

SearchStatus Dive::run(std::uint64_t work) {
  if (!started_) {
    started_ = true;
    fresh_.clear();
    for (const NodeId node : goal_.product().initial_nodes()) {
      if (meet(node, 0)) return SearchStatus::kFound;
    }
    push_fresh();
  }
  for (const std::uint64_t end = work_ + work; work_ < end;) {
    goal_.graph().ticker().tick();
    const NodeId node = pop();
    if (node == kNoNode) return SearchStatus::kNone;
    if (visit(node)) return SearchStatus::kFound;
  }
  return SearchStatus::kPaused;
}

// ---------------------------------------------------------------- shortening

namespace {

class Shortener {
 public:
  explicit Shortener(DiveGoal& goal) : goal_(goal), product_(goal.product()), graph_(goal.graph()) {}

  // Finds the shortest run through states that are expanded.
  void find_nearest() {
    struct From {
      NodeId node = kNoNode;
      ActionId action = kIdleAction;
      bool met = false;
    };
    LayeredArray<From> from(graph_.budget(), product_.automaton().states, From{});
    ChunkedVector<NodeId> queue(graph_.budget());
    for (const NodeId node : product_.initial_nodes()) {
      from.at(node).met = true;
      queue.push_back(node);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      graph_.ticker().tick();
      const NodeId node = queue[i];
      const bool is_expanded = graph_.is_expanded(state_of(node));
      if (goal_.is_met(node, is_expanded)) {
        nodes_.assign(1, node);
        actions_.clear();
        for (NodeId at = node; from.get(at).node != kNoNode; at = from.get(at).node) {
          actions_.push_back(from.get(at).action);
          nodes_.push_back(from.get(at).node);
        }
        std::reverse(nodes_.begin(), nodes_.end());
        std::reverse(actions_.begin(), actions_.end());
        return;
      }
      if (!is_expanded) continue;
      SuccessorCursor cursor;
      ProductStep step;
      while (product_.next(node, cursor, step)) {
        if (from.get(step.target).met) continue;
        from.at(step.target) = From{node, step.action, true};
        queue.push_back(step.target);
      }
    }
    throw std::logic_error("what was found cannot be found again");
  }

  // Expands states near the run, the nearest first.
  void look_around(std::uint64_t effort) {
    constexpr std::uint64_t kLooks = 4;  // at states that are expanded already, for each expansion
    LayeredArray<std::uint8_t> met(graph_.budget(), product_.automaton().states, 0);
    ChunkedVector<NodeId> queue(graph_.budget());
    const std::size_t last = graph_.expanded_count() + effort;
    const auto meet = [&](NodeId node) {
      if (met.get(node) != 0) return;
      met.at(node) = 1;
      queue.push_back(node);
    };
    for (const NodeId node : nodes_) meet(node);
    for (std::size_t i = 0; i < queue.size() && i < kLooks * effort && graph_.expanded_count() < last; ++i) {
      graph_.ticker().tick();
      SuccessorCursor cursor;
      ProductStep step;
      while (product_.next(queue[i], cursor, step)) meet(step.target);
    }
  }

  [[nodiscard]] std::size_t length() const { return actions_.size(); }

  [[nodiscard]] Lasso run() const {
    Lasso lasso;
    lasso.start = state_of(nodes_[0]);
    for (std::size_t i = 0; i < actions_.size(); ++i) lasso.stem.push_back({actions_[i], state_of(nodes_[i + 1])});
    return lasso;
  }

 private:
  DiveGoal& goal_;
  Product& product_;
  NetworkGraph& graph_;
  std::vector<NodeId> nodes_;      // of the run
  std::vector<ActionId> actions_;  // between them
};

}  // namespace

Lasso shortened_run(DiveGoal& goal, std::uint64_t effort) {
  constexpr unsigned kRounds = 4;
  Shortener shortener(goal);
  shortener.find_nearest();
  for (unsigned round = 0; round < kRounds && shortener.length() > 1; ++round) {
    const std::size_t before = shortener.length();
    shortener.look_around(effort / kRounds);
    shortener.find_nearest();
    if (shortener.length() == before) break;
  }
  return shortener.run();
}

}  // namespace fairlead
