// What the steps of a graph cost, and what a search for the best way to a goal finds.
//
// A cost is read from the state after the step, where an expression has its value (reduce/variables/costs.py keeps there
// what the last step has added). Costs of both signs are refused; `negated` turns the sign around, so that the searches
// only see costs of 0 and more. Steps of termination leave the variable alone, and cost nothing.
#pragma once

#include "explore/graph.hpp"
#include "search/lasso.hpp"

namespace fairlead {

enum class CostStatus : std::uint8_t {
  kFound,
  kNoGoal,
  kBothSigns,  // some step has a negative cost: this search is not for it
  kUnbounded,  // the cost grows in a cycle from which a goal can be reached
  kTooLarge,  // the best value does not fit into 32 bits
  kStateLimit,  // more states than are allowed
};

// The best value, with a shortest run among those that have it; or a cycle that lets the value grow.
struct BestRun {
  CostStatus status = CostStatus::kNoGoal;
  std::int64_t value = 0;
  StateId start = kNone;
  std::vector<RunStep> steps;
};

// If it is not `known` that no cost is negative, all steps are examined before a goal is taken for the best.
struct CostQuestion {
  CodeId goal;
  CodeId cost;
  bool negated;
  bool known;
};

class StepCosts {
 public:
  StepCosts(NetworkGraph& graph, const CostQuestion& question) : graph_(graph), question_(question) {}

  // The value of the expression in a state: from it follows what the steps into the state cost, and where the sum begins
  // if it is an initial one.
  [[nodiscard]] std::int32_t value(StateId state) { return graph_.value(question_.cost, state); }
  [[nodiscard]] std::int64_t cost(std::int32_t value) const {
    return question_.negated ? -std::int64_t{value} : std::int64_t{value};
  }
  [[nodiscard]] bool are_known() const { return question_.known; }
  [[nodiscard]] bool is_goal(StateId state) { return graph_.holds(question_.goal, state); }
  // Termination: joint, or as the internal step of `P; Q`, whose construct begins with a semicolon.
  [[nodiscard]] bool is_free(ActionId action) {
    if (actions_.size() <= action) actions_.resize(action + 1, Known::kNotYet);
    Known& known = actions_[action];
    if (known == Known::kNotYet) {
      const LabelId label = graph_.labels().label_of(action);
      const bool is_free = label == kTerminateLabel || graph_.labels().label_text(label).starts_with("τ[;");
      known = is_free ? Known::kFree : Known::kCosts;
    }
    return known == Known::kFree;
  }
  // Sets the best value, as the question means it, from the cost of a best run.
  void set_value(BestRun& found, std::int64_t cost) const {
    found.value = question_.negated ? -cost : cost;
    const bool fits = found.value >= INT32_MIN && found.value <= INT32_MAX;
    found.status = fits ? CostStatus::kFound : CostStatus::kTooLarge;
  }

 private:
  enum class Known : std::uint8_t { kNotYet, kFree, kCosts };

  NetworkGraph& graph_;
  CostQuestion question_;
  std::vector<Known> actions_;
};

}  // namespace fairlead
