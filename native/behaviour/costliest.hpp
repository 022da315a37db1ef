// The dearest run to a goal, on a complete graph: a longest path, which has a length iff no cycle from which a goal can be
// reached costs anything. So it is found on the graph of strongly connected components, in the order in which they lie.
#pragma once

#include "behaviour/step_costs.hpp"

namespace fairlead {

class Costliest {
 public:
  Costliest(NetworkGraph& graph, const CostQuestion& question);

  BestRun search();

 private:
  struct Node {
    std::uint32_t component = kNone;
    std::int32_t value = 0;  // of the expression in the state
    std::uint32_t low = 0;  // while components are found: the number of the earliest state known to be reached
    bool is_goal = false;
  };
  struct Component {
    std::int64_t cost = INT64_MIN;  // of the dearest run into it, as far as known
    bool reaches_goal = false;
  };
  // A state on the way of the depth-first search, with the next of its transitions.
  struct Frame {
    StateId state;
    std::uint32_t next;
  };
  struct From {
    StateId state = kNone;
    ActionId action = kIdleAction;
    bool met = false;
  };

  void read_states();
  void find_components();
  void visit(StateId root);
  void close(StateId state);
  // Whether there is no answer: a step has a negative cost, or a cycle from which a goal can be reached costs something.
  bool has_no_greatest(BestRun& found);
  void costly_cycle(StateId state, RunStep first, BestRun& found);
  void spread_costs();
  // A shortest run to the best goal along steps that add up to the cost of each component they lead into.
  void best_run(BestRun& found);
  // Breadth-first search: the steps from one of the starts to the first state that is wanted.
  template <typename Allowed, typename Wanted>
  void shortest(const std::vector<StateId>& starts, Allowed&& allowed, Wanted&& wanted, BestRun& found);
  [[nodiscard]] std::int64_t cost(ActionId action, StateId target) {
    return costs_.is_free(action) ? 0 : costs_.cost(nodes_[target].value);
  }
  Component& component_of(StateId state) { return components_[nodes_[state].component]; }

  NetworkGraph& graph_;
  StepCosts costs_;
  ChunkedVector<Node> nodes_;  // per state
  ChunkedVector<Component> components_;  // each after all that are reachable from it
  ChunkedVector<StateId> order_;  // the states, component by component
  ChunkedVector<StateId> open_;
  ChunkedVector<Frame> way_;
  std::uint32_t visited_ = 0;
  EdgeBuffer buffer_;
};

}  // namespace fairlead
