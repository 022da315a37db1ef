// Refinement: is everything the implementation does allowed by the specification?
#pragma once

#include "behaviour/specification.hpp"

namespace fairlead {

enum class RefinementModel { kTraces, kFailures, kFailuresDivergences };

// Lists of numbers by key.
class SetIndex {
 public:
  explicit SetIndex(Budget& budget) : budget_(budget), entries_(budget) {}
  ~SetIndex() { budget_.release(charged_); }
  SetIndex(const SetIndex&) = delete;
  SetIndex& operator=(const SetIndex&) = delete;

  void add(std::uint64_t key, std::uint32_t number) {
    const auto [entry, is_new] = heads_.try_emplace(key, kNone);
    if (is_new) {
      constexpr std::uint64_t kBytes = 48;  // of a node of the table with its share of the buckets
      budget_.charge(kBytes);
      charged_ += kBytes;
    }
    entries_.push_back({number, entry->second});
    entry->second = static_cast<std::uint32_t>(entries_.size() - 1);
  }
  template <typename Test>
  [[nodiscard]] bool any(std::uint64_t key, Test&& test) const {
    const auto found = heads_.find(key);
    if (found == heads_.end()) return false;
    for (std::uint32_t at = found->second; at != kNone; at = entries_[at].second) {
      if (test(entries_[at].first)) return true;
    }
    return false;
  }

 private:
  Budget& budget_;
  std::unordered_map<std::uint64_t, std::uint32_t> heads_;
  ChunkedVector<std::pair<std::uint32_t, std::uint32_t>> entries_;
  std::uint64_t charged_ = 0;
};

// Breadth-first search of pairs: a state of the implementation, and the set of states the specification may be in
// after the same trace. A pair is left out if the state was met before with a smaller set. A smaller set allows
// less (fewer events, fewer acceptances, no divergence that the larger one lacks), so that whatever would be
// found from the pair is found from the earlier one, after no more steps (antichains: De Wulf, Doyen, Henzinger
// and Raskin, CAV 2006).
// Invariants: pairs_ holds the pairs met, in the order of their distance; heads_[state] begins the list of the
// sets that the state was met with. While the list is short, none of them includes another; when it is long, they
// are in the index as well, by the state and the last member of the set.
class RefinementSearch {
 public:
  RefinementSearch(Graph& implementation, Graph& specification, RefinementModel model);

  // Continues until the refinement is refuted (kFound), proved (kNone) or a state of the implementation is met that
  // is not expanded (kPaused). Throws LimitReached when the specification has more states than the limit.
  SearchStatus run(std::size_t state_limit);
  // A shortest run of the implementation that the specification does not allow.
  [[nodiscard]] Lasso found();

  [[nodiscard]] std::size_t pair_count() const { return pairs_.size(); }
  [[nodiscard]] bool specification_faulted() const { return specification_.faulted(); }

 private:
  struct Pair {
    StateId state;
    SubsetId subset;
    std::uint32_t previous;
    ActionId action;
  };
  // A set that a state was met with, and the next one of the same list.
  struct Cover {
    SubsetId subset = kEmptySubset;
    std::uint32_t next = kNone;
  };
  struct Head {
    Cover first;
    std::uint32_t count = 0;
  };
  // Beyond so many sets for one state they are found by their members.
  static constexpr std::uint32_t kShortList = 16;
  // A step that the specification does not have.
  struct ForbiddenStep {
    std::uint32_t pair = kNone;
    RunStep step{};
  };

  void start();
  void meet(StateId state, SubsetId subset, std::uint32_t previous, ActionId action);
  // Whether the pair is new; if so, it is remembered.
  bool cover(StateId state, SubsetId subset);
  [[nodiscard]] bool is_covered(StateId state, const Head& head, SubsetId subset) const;
  [[nodiscard]] bool is_listed(const Cover& first, SubsetId subset) const;
  // Takes away sets that include a new one; whether it has taken the place of one of them.
  bool replace(Head& head, SubsetId subset);
  void index(StateId state, const Head& head);
  void index(StateId state, SubsetId subset);
  bool is_forbidden(const Pair& pair, std::size_t state_limit);
  bool refuses_too_much(const Pair& pair);
  void step_from(std::uint32_t number);

  Graph& implementation_;
  RefinementModel model_;
  EventTable table_;
  VisibleEvents events_;
  Divergence divergence_;
  Specification specification_;
  ChunkedVector<Pair> pairs_;
  ChunkedVector<Head> heads_;
  ChunkedVector<Cover> covers_;
  SetIndex index_;
  std::uint32_t next_ = 0;
  std::size_t level_end_ = 0;  // where the pairs of the next distance begin
  bool started_ = false;
  ForbiddenStep forbidden_;
  bool diverges_ = false;
  std::vector<EventId> offered_;
  EdgeBuffer edges_;
};

}  // namespace fairlead
