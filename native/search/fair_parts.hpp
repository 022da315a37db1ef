// A search for fair accepting parts inside strongly connected ones.
//
// A run of the product visits some set of steps forever; that set is strongly connected. The condition says
// which sets are accepting and fair. `FairParts` finds such a set inside a strongly connected component, or shows
// that there is none: what a conjunct needs and the part lacks is either never to be had (reject), or avoided
// by removing the states or steps that make it needed (split and continue); where there is a choice what to avoid,
// one after the other is tried.
#pragma once

#include "search/condition.hpp"
#include "search/product.hpp"
#include "search/starvation.hpp"

namespace fairlead {

// The fairness conjuncts: every event (or process) x, or each of some, is weakly or strongly fair; strong global fairness;
// and a condition.
struct Fairness {
  std::vector<Demand> demands;
  bool global = false;
  FairnessCondition* condition = nullptr;
};

// Strongly connected nodes; runs through all of them, without the excluded steps, are accepting and fair.
struct FairPart {
  std::vector<NodeId> nodes;
  std::shared_ptr<ExcludedMarks> excluded;          // null: no steps
  ConditionId condition = kTrueCondition;           // what runs meet
  MarkWords marks;                                  // on the steps

  [[nodiscard]] bool empty() const { return nodes.empty(); }
};

// Sets of nodes, one after the other.
class NodeSets {
 public:
  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  [[nodiscard]] std::span<const NodeId> operator[](std::size_t i) const {
    const std::size_t first = i == 0 ? 0 : ends_[i - 1];
    return {nodes_.data() + first, ends_[i] - first};
  }
  void add(NodeId node) { nodes_.push_back(node); }
  // What was added since the last call is a set.
  void finish() { ends_.push_back(nodes_.size()); }

 private:
  std::vector<NodeId> nodes_;
  std::vector<std::size_t> ends_;
};

class FairParts {
 public:
  FairParts(Product& product, Fairness fairness);

  // An accepting and fair part of a strongly connected set of nodes; empty if there is none.
  FairPart find(std::vector<NodeId> nodes);
  // The strongly connected components of a set of nodes, each before those that lead to it.
  NodeSets components(std::vector<NodeId> nodes);
  // Whether some part of a strongly connected set of nodes is accepting and fair.
  bool has_fair_part(std::span<const NodeId> nodes) {
    return !is_trivial(nodes) && !find({nodes.begin(), nodes.end()}).empty();
  }

  // The events (or processes) that starve forever in runs through all of a part: those that are enabled there, always
  // (weak) or somewhere (strong), and are not engaged.
  std::vector<std::uint32_t> starving(const FairPart& part, const Demand& demand);

  [[nodiscard]] const Fairness& fairness() const { return fairness_; }

 private:
  enum class Judgement { kAccept, kReject, kSplit };
  // A strongly connected component in which to look for a fair one, and what the condition still demands there.
  struct Task {
    std::vector<NodeId> nodes;
    std::shared_ptr<ExcludedMarks> excluded;
    ConditionId condition;
  };

  // All but the condition: leaves in `starvations_` who must be avoided.
  Judgement judge(const std::vector<NodeId>& nodes);
  // What the condition says to the part that was judged.
  Conditions::Decision decide(const Task& task);
  // Whether the part is fair; if not, what is to be examined instead becomes pending.
  bool try_part(Task& task, std::vector<Task>& pending);
  void split_off(const Task& task, std::span<const MarkId> avoided, ConditionId condition, std::vector<Task>& pending);
  void prefetch_ahead(const std::vector<NodeId>& nodes, std::size_t at, bool steps);
  void prefetch_successors(NodeId node);
  // Judges by all steps of the part, and collects the marks of the condition.
  bool see_all_steps(const std::vector<NodeId>& nodes);
  // Judges by as few steps as are needed; whether the part has all marks of the automaton.
  bool see_steps(const std::vector<NodeId>& nodes);
  [[nodiscard]] bool nobody_can_starve() const;
  void show(NodeId node, Starvation& starvation);
  void show(NodeId node) {
    for (Starvation& starvation : starvations_) show(node, starvation);
  }
  bool is_closed(std::vector<NodeId> nodes);
  // The strongly connected components of those of the nodes at which nothing starving is enabled.
  NodeSets split(std::vector<NodeId> nodes);
  // Whether a part is a single node without a step to itself.
  bool is_trivial(std::span<const NodeId> part);
  void enter_part(const std::vector<NodeId>& nodes, std::shared_ptr<ExcludedMarks> excluded);
  // Whether a step leads from the part into it, and is not excluded.
  [[nodiscard]] bool inside(const ProductStep& step) {
    return part_.get(step.target) == current_part_ &&
           (excluded_ == nullptr || !excluded_->excludes(state_of(step.target), step.action));
  }
  bool enables_starving(NodeId node);

  Product& product_;
  Fairness fairness_;
  LayeredArray<std::uint32_t> part_;     // node -> number of the part it was last put into
  LayeredArray<std::uint32_t> order_;    // scratch of split()
  std::uint32_t current_part_ = 0;
  std::shared_ptr<ExcludedMarks> excluded_;
  std::vector<Starvation> starvations_;  // one for each demand
  MarkWords marks_;                      // of the condition, on steps of the part
  Stamps pieces_;                        // of these
};

}  // namespace fairlead
