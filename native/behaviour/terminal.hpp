// Terminal sets of states: the components of a complete graph that no transition leaves. Every execution under
// fair choice ends in one and takes all of its actions infinitely often.
#pragma once

#include <optional>

#include "search/lasso.hpp"

namespace fairlead {

// What must be in every terminal set: one of the labels, or all of them; with a condition, only in those sets
// that have one of its labels.
enum class ProgressKind { kOneOf, kAllOf };
struct ProgressDemand {
  ProgressKind kind;
  std::vector<LabelId> labels;
  std::optional<std::vector<LabelId>> condition;
};

// One terminal set, reached by a shortest way, and how many others there are.
struct TerminalSet {
  Lasso lasso;                  // to the nearest state of the set, and round a shortest cycle there
  std::vector<LabelId> labels;  // of the transitions in it
  std::uint64_t states;
  std::uint64_t violating;  // terminal sets in which the demand is not met
};

// All terminal sets of a graph. Those with the same visible labels form one group, so that judging a demand
// takes time in the number of groups: millions of dead states are one.
//
// Terminal sets are much cheaper to find than all components. A state is *decided* once it is known to be in a
// terminal set, or to lead to one that is decided, or to a *home*: the initial state, or one chosen on the way.
//  * Decidedness spreads backward in sweeps over all states, in the order of memory, while they are worth it.
//  * Others are searched depth first (Gabow's path-based algorithm). All states of a search that are not finished
//    lead to the newest one; once that leads to a decided state, so do all, and the search ends. A component
//    that is finished instead is terminal: all its transitions stay in it.
//  * A search that has become large ends by choosing a home that its newest state leads to.
//  * At last all states lead to a terminal set found or to a home, and what can be reached from the home tells
//    whether it is in another one (settle_home).
// Invariants of a search: place_[s] is 0 for a state never met, kNone for one that is decided, else its place in
// live_ plus 1; roots_ holds the places in live_ where the components of the current path begin.
class TerminalSets {
 public:
  // A search of more than `patience` states chooses a home.
  TerminalSets(Graph& graph, std::size_t patience);
  TerminalSets(const TerminalSets&) = delete;
  TerminalSets& operator=(const TerminalSets&) = delete;

  [[nodiscard]] std::uint64_t count() const { return sizes_.size(); }
  [[nodiscard]] std::size_t group_count() const { return groups_.size(); }

  // The nearest terminal set in which a demand is not met.
  std::optional<TerminalSet> violation(const ProgressDemand& demand);

 private:
  struct Frame {
    StateId state;
    std::uint32_t next;  // edge to look at
  };
  struct Group {
    std::uint64_t sets = 0;
    StateId nearest = kNone;     // known once the ways are
    std::uint64_t distance = 0;  // its rank in the breadth-first order
  };
  struct From {
    StateId source;
    ActionId action;
  };
  // What the groups take of the budget; given back even if the search is stopped.
  struct Charge {
    Budget& budget;
    std::uint64_t bytes = 0;

    explicit Charge(Budget& charged) : budget(charged) {}
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;
    ~Charge() { budget.release(bytes); }
    void add(std::uint64_t more) {
      budget.charge(more);
      bytes += more;
    }
  };

  [[nodiscard]] bool is_open(StateId state) const {
    // states of an explicit graph that are never reached are not expanded
    return place_[state] == 0 && graph_.is_expanded(state);
  }
  void decide(StateId state) {
    place_[state] = kNone;
    ++decided_;
  }
  void spread();
  bool leads_to_decided(StateId state);
  void search(StateId start);
  void choose_home();
  void settle_home();
  // Puts what can be reached from the home into live_; false if it cannot be a terminal set by itself.
  bool reach_from_home();
  void take_everything();
  void enter(StateId state);
  // Looks at the transitions of the newest state of the path; false if it leads to a state that is decided.
  bool advance();
  // What lies in live_ from a place on is a terminal set.
  void finish(std::size_t place);
  // The states of the search lead to one that is decided.
  void abandon();
  // The number of the group of what lies in live_ from a place on.
  std::uint32_t group_of(std::size_t place);
  void add_labels(StateId state, std::uint32_t stamp);
  bool is_internal(LabelId label);
  [[nodiscard]] bool violates(std::span<const LabelId> labels, const ProgressDemand& demand) const;
  // Which way each state is met first, breadth first, until a state of each group has been.
  void find_ways();
  // A shortest way from a state of a terminal set back to it.
  const std::vector<RunStep>& cycle(StateId state);

  Graph& graph_;
  ChunkedVector<std::uint32_t> set_;    // per state: the terminal set it is in, or kNone
  ChunkedVector<std::uint32_t> group_;  // per terminal set
  ChunkedVector<std::uint32_t> sizes_;  // per terminal set
  std::vector<Group> groups_;
  SequenceInterner group_labels_;  // sorted labels -> index into groups_
  Charge charge_;
  ChunkedVector<From> from_;  // a state is its own source before it is met
  bool has_ways_ = false;
  std::unordered_map<StateId, std::vector<RunStep>> cycles_;  // those asked for

  // of the search
  std::size_t patience_;
  StateId origin_ = kNone;  // the initial state, if there is just one: it leads to every state
  StateId home_ = kNone;    // chosen on the way, at most one
  std::size_t decided_ = 0;
  ChunkedVector<std::uint32_t> place_;
  ChunkedVector<Frame> frames_;
  ChunkedVector<StateId> live_;
  ChunkedVector<std::uint32_t> roots_;
  std::vector<std::uint8_t> internal_;  // per label: 0 not known yet, 1 visible, 2 internal
  std::vector<std::uint32_t> seen_in_;  // per label: the last terminal set it was seen in, plus 1
  std::vector<LabelId> labels_;
  EdgeBuffer edges_;
};

}  // namespace fairlead
