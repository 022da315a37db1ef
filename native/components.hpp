// The one search for a fair accepting component.
//
// A run of the product visits some set of steps for ever; that set is strongly connected. The condition says
// which sets are accepting and fair. `FairParts` finds such a set inside a strongly connected part, or shows
// that there is none: what a conjunct needs and the part lacks is either never to be had (reject), or avoided
// by removing the states that make it needed (split and go on). `ComponentSearch` finds the maximal parts,
// on the fly, and offers growing ones early.
#pragma once

#include "clauses.hpp"
#include "product.hpp"

namespace fairlead {

enum class FairnessLevel { kNone, kEvent, kProcess };
enum class FairnessStrength { kWeak, kStrong };

// The fairness conjuncts: every event (or process) x is weakly or strongly fair, or strong global fairness; and
// single clauses.
struct Fairness {
  FairnessLevel level = FairnessLevel::kNone;
  FairnessStrength strength = FairnessStrength::kWeak;
  bool global = false;
  const Clauses* clauses = nullptr;
};

// Calls `visit(x)` for the event or the processes of an action; idling is nobody's.
template <typename Visit>
void for_each_subject(const Labels& labels, FairnessLevel level, ActionId action, Visit&& visit) {
  if (action == kIdleAction) return;
  if (level == FairnessLevel::kEvent) {
    visit(labels.label_of(action));
  } else if (level == FairnessLevel::kProcess) {
    for (const ProcessId process : labels.processes_of(action)) visit(process);
  }
}

class FairParts {
 public:
  FairParts(Product& product, Fairness fairness);

  // An accepting and fair part of a strongly connected set of nodes; empty if there is none.
  std::vector<NodeId> find(std::vector<NodeId> nodes);
  // The strongly connected components of a set of nodes, each before those that lead to it.
  std::vector<std::vector<NodeId>> components(const std::vector<NodeId>& nodes);

  [[nodiscard]] const Fairness& fairness() const { return fairness_; }

 private:
  enum class Judgement { kAccept, kReject, kSplit };

  Judgement judge(const std::vector<NodeId>& nodes);
  void prefetch_ahead(const std::vector<NodeId>& nodes, std::size_t at);
  Judgement judge_subjects(std::size_t node_count);
  Judgement judge_clauses();
  bool is_closed(std::vector<NodeId> nodes);
  // The strongly connected parts of those of the nodes at which nothing starving is enabled.
  std::vector<std::vector<NodeId>> split(const std::vector<NodeId>& nodes);
  void tally_clauses(NodeId node);
  void enter_part(const std::vector<NodeId>& nodes);
  [[nodiscard]] bool inside(NodeId node) const { return part_.get(node) == current_part_; }
  bool enables_starving(NodeId node);

  Product& product_;
  Fairness fairness_;
  LayeredArray<std::uint32_t> part_;     // node -> number of the part it was last put into
  LayeredArray<std::uint32_t> order_;    // scratch of split()
  std::uint32_t current_part_ = 0;
  Stamps seen_;                          // enabled at the node under study
  Stamps engaged_;
  Stamps starving_;
  std::vector<std::uint32_t> enabled_;   // subjects enabled somewhere in the part
  std::vector<std::uint32_t> enabled_at_;  // at how many nodes
  ClauseTally clauses_;
};

enum class SearchStatus { kFound, kNone, kPaused };

// Depth-first search of the product for components, after Couvreur: every step that closes a cycle merges
// what lies on it. States are expanded as they are met unless the graph was explored before.
// Invariants: live_ holds the nodes of unfinished components, the one numbered n at n - 1; roots_ holds, for
// each unfinished component, the number of its first node and the marks on steps inside it, so that the nodes
// from the last root's number on are strongly connected.
class ComponentSearch {
 public:
  // `early`: unfinished components are offered as they grow, so that bugs are found sooner.
  // `complete`: the graph was explored before, so that all its states are known.
  ComponentSearch(Product& product, Fairness fairness, bool early, bool complete);

  // Goes on for at most `steps` steps. When kFound, part() is an accepting, fair set of nodes; calling it
  // again looks for another one.
  SearchStatus run(std::uint64_t steps);
  [[nodiscard]] const std::vector<NodeId>& part() const { return part_; }
  [[nodiscard]] const Fairness& fairness() const { return fair_.fairness(); }
  [[nodiscard]] std::uint64_t node_count() const { return node_count_; }

 private:
  struct Frame {
    NodeId node;
    SuccessorCursor cursor;
  };
  struct Root {
    std::uint32_t number;
    Marks marks;       // on steps inside the component
    Marks arriving;    // on the step that leads to its first node
    std::uint32_t tried;  // size at which the unfinished component was last offered
  };
  static constexpr std::uint32_t kFinished = kNone;

  bool next_start(NodeId& start);
  void push(NodeId node, Marks arriving);
  void merge(std::uint32_t number, Marks marks);
  bool offer_unfinished();
  bool finish(NodeId node);

  Product& product_;
  FairParts fair_;
  bool early_;
  bool from_everywhere_;  // starts are the entries from any state, not only the initial ones
  LayeredArray<std::uint32_t> numbers_;  // 0: not met; kFinished: in a finished component
  ChunkedVector<NodeId> live_;
  std::vector<Frame> frames_;
  std::vector<Root> roots_;
  std::uint32_t counter_ = 0;
  std::vector<NodeId> starts_;   // to be tried, last first
  bool started_ = false;
  StateId next_entered_from_ = 0;
  std::uint64_t node_count_ = 0;
  std::vector<NodeId> part_;
};

}  // namespace fairlead
