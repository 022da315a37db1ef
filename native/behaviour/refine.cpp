#include "behaviour/refine.hpp"

#include <algorithm>

namespace fairlead {

RefinementSearch::RefinementSearch(Graph& implementation, Graph& specification, RefinementModel model)
    : implementation_(implementation),
      model_(model),
      events_(implementation, table_),
      divergence_(implementation, events_),
      specification_(specification, table_),
      pairs_(implementation.budget()),
      heads_(implementation.budget()),
      covers_(implementation.budget()),
      index_(implementation.budget()) {}

namespace {

std::uint64_t index_key(StateId state, StateId member) { return (std::uint64_t{state} << 32) | member; }

}  // namespace

bool RefinementSearch::is_listed(const Cover& first, SubsetId subset) const {
  for (const Cover* known = &first;; known = &covers_[known->next]) {
    if (specification_.includes(subset, known->subset)) return true;
    if (known->next == kNone) return false;
  }
}

bool RefinementSearch::is_covered(StateId state, const Head& head, SubsetId subset) const {
  const auto members = specification_.members(subset);
  if (head.count <= kShortList || head.count < members.size()) return is_listed(head.first, subset);
  return std::any_of(members.begin(), members.end(), [&](StateId member) {
    return index_.any(index_key(state, member), [&](SubsetId known) { return specification_.includes(subset, known); });
  });
}

bool RefinementSearch::replace(Head& head, SubsetId subset) {
  bool placed = false;
  if (specification_.includes(head.first.subset, subset)) {
    head.first.subset = subset;
    placed = true;
  }
  for (Cover* before = &head.first; before->next != kNone;) {
    Cover& known = covers_[before->next];
    if (!specification_.includes(known.subset, subset)) {
      before = &known;
    } else if (placed) {
      before->next = known.next;
      --head.count;
    } else {
      known.subset = subset;
      placed = true;
      before = &known;
    }
  }
  return placed;
}

void RefinementSearch::index(StateId state, SubsetId subset) {
  // states are numbered as they are met, so that the last member is the one that fewest sets have
  index_.add(index_key(state, specification_.members(subset).back()), subset);
}

void RefinementSearch::index(StateId state, const Head& head) {
  for (const Cover* known = &head.first;; known = &covers_[known->next]) {
    index(state, known->subset);
    if (known->next == kNone) break;
  }
}

bool RefinementSearch::cover(StateId state, SubsetId subset) {
  if (heads_.size() <= state) {
    heads_.resize(std::max<std::size_t>(state + 1, implementation_.state_count()), Head{});
  }
  Head& head = heads_[state];
  if (head.count == 0) {
    head = Head{Cover{subset, kNone}, 1};
    return true;
  }
  if (is_covered(state, head, subset)) return false;
  if (head.count <= kShortList && replace(head, subset)) return true;
  covers_.push_back(Cover{subset, head.first.next});
  head.first.next = static_cast<std::uint32_t>(covers_.size() - 1);
  ++head.count;
  if (head.count == kShortList + 1) {
    index(state, head);
  } else if (head.count > kShortList) {
    index(state, subset);
  }
  return true;
}

void RefinementSearch::meet(StateId state, SubsetId subset, std::uint32_t previous, ActionId action) {
  // where the specification diverges, everything is allowed from here on
  if (model_ == RefinementModel::kFailuresDivergences && specification_.diverges(subset)) return;
  if (!cover(state, subset)) return;
  if (pairs_.size() >= kNone - 1) throw LimitReached{Limit::kMemory};
  pairs_.push_back(Pair{state, subset, previous, action});
}

bool RefinementSearch::refuses_too_much(const Pair& pair) {
  const EdgeSpan edges = implementation_.edges(pair.state, edges_);
  offered_.clear();
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    const EventId event = events_(edges.actions[i]);
    if (event == kInternal) return false;  // not stable
    offered_.push_back(event);
  }
  std::sort(offered_.begin(), offered_.end());
  offered_.erase(std::unique(offered_.begin(), offered_.end()), offered_.end());
  return !specification_.accepts(pair.subset, offered_);
}

bool RefinementSearch::is_forbidden(const Pair& pair, std::size_t state_limit) {
  if (model_ == RefinementModel::kTraces) return false;
  if (refuses_too_much(pair)) return true;
  if (model_ == RefinementModel::kFailures) return false;
  diverges_ = divergence_.kind(pair.state, state_limit) == Divergence::Kind::kOnCycle;
  return diverges_;
}

void RefinementSearch::step_from(std::uint32_t number) {
  const Pair pair = pairs_[number];
  const EdgeSpan edges = implementation_.edges(pair.state, edges_);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    const EventId event = events_(edges.actions[i]);
    const SubsetId subset = event == kInternal ? pair.subset : specification_.after(pair.subset, event);
    if (subset == kEmptySubset) {
      forbidden_ = {number, {edges.actions[i], edges.targets[i]}};
      return;
    }
    meet(edges.targets[i], subset, number, edges.actions[i]);
  }
}

void RefinementSearch::start() {
  started_ = true;
  const SubsetId subset = specification_.initial();
  for (const StateId state : implementation_.initial()) meet(state, subset, kNone, kIdleAction);
  level_end_ = pairs_.size();
}

SearchStatus RefinementSearch::run(std::size_t state_limit) {
  specification_.set_state_limit(state_limit);
  if (!started_) start();
  for (; next_ < pairs_.size(); ++next_) {
    implementation_.ticker().tick();
    if (next_ == level_end_) {
      if (forbidden_.pair != kNone) return SearchStatus::kFound;
      level_end_ = pairs_.size();
    }
    const Pair pair = pairs_[next_];
    if (!implementation_.is_expanded(pair.state)) return SearchStatus::kPaused;
    if (is_forbidden(pair, state_limit)) {
      forbidden_.pair = kNone;  // this one is nearer than a step further on
      return SearchStatus::kFound;
    }
    if (forbidden_.pair != kNone) continue;
    step_from(next_);
    if (forbidden_.pair != kNone && model_ == RefinementModel::kTraces) return SearchStatus::kFound;
  }
  return forbidden_.pair != kNone ? SearchStatus::kFound : SearchStatus::kNone;
}

Lasso RefinementSearch::found() {
  Lasso lasso;
  std::uint32_t at = next_;
  if (forbidden_.pair != kNone) {
    at = forbidden_.pair;
    lasso.stem.push_back(forbidden_.step);
  } else if (diverges_) {
    lasso.loop = divergence_.cycle(pairs_[at].state);
  }
  for (; pairs_[at].previous != kNone; at = pairs_[at].previous) {
    lasso.stem.push_back({pairs_[at].action, pairs_[at].state});
  }
  std::reverse(lasso.stem.begin(), lasso.stem.end());
  lasso.start = pairs_[at].state;
  return lasso;
}

}  // namespace fairlead
