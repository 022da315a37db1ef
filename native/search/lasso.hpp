// From an accepting, fair part of the product to a run that shows it: a shortest way to the part, and a loop
// in it that meets the condition.
#pragma once

#include <compare>

#include "search/components.hpp"

namespace fairlead {

// A step of a run: the action and the state after it.
struct RunStep {
  ActionId action;
  StateId state;

  auto operator<=>(const RunStep&) const = default;
};

struct Lasso {
  StateId start = 0;
  std::vector<RunStep> stem;
  std::vector<RunStep> loop;
};

// For loops of whatever length.
inline constexpr std::size_t kAnyLength = ~std::size_t{0};

// A transition of the system.
struct PartTransition {
  StateId source;
  RunStep step;

  auto operator<=>(const PartTransition&) const = default;
};

// The transitions of the system that runs through all of a part take, each once, ordered by their sources.
std::vector<PartTransition> transitions_of(Product& product, const FairPart& part);

class LassoBuilder {
 public:
  LassoBuilder(Product& product, Fairness fairness, const FairPart& part);

  // A run from an initial node, or from one of these. If no loop that was tried has at most `longest` steps, the loop of the
  // result is empty.
  Lasso build(std::size_t longest = kAnyLength) { return build_from(product_.initial_nodes(), longest); }
  Lasso build_from(const std::vector<NodeId>& starts, std::size_t longest = kAnyLength);

 private:
  struct Debts;
  struct Walk;

  void find_stem(const std::vector<NodeId>& starts);
  std::vector<RunStep> loop_from(NodeId start, std::size_t give_up_at);
  bool has_more_transitions_than(std::size_t most);
  template <typename IsGoal>
  bool walk_to(NodeId& at, Walk& walk, IsGoal&& is_goal);
  [[nodiscard]] bool inside(NodeId node) const { return member_.get(node) != 0; }
  [[nodiscard]] bool inside(const ProductStep& step) const {
    return inside(step.target) &&
           (part_.excluded == nullptr || !part_.excluded->excludes(state_of(step.target), step.action));
  }

  Product& product_;
  Fairness fairness_;
  const FairPart& part_;
  MarkWords needed_;  // marks of the condition that a loop must show
  LayeredArray<std::uint8_t> member_;

  // of the search for the stem
  struct Entry {
    NodeId node;
    std::vector<RunStep> stem;
    StateId start;
  };
  std::vector<Entry> entries_;

  // of the searches inside the part, stamped by round
  struct Reached {
    std::uint32_t round = 0;
    NodeId from = 0;
    Marks marks = 0;
    std::uint32_t edge = 0;
    ActionId action = 0;
  };
  LayeredArray<Reached> reached_;
  std::uint32_t round_ = 0;
};

}  // namespace fairlead
