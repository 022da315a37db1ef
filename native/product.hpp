// The product of a system's graph with an automaton, built as it is walked.
//
// A node is a state with the automaton's state after reading the word up to it: position i of the word is
// what holds in state i and the event of the step into it. The step from (s, b) by action a to s' reads the
// letter (propositions of s', event of a).
#pragma once

#include "graph.hpp"

namespace fairlead {

using NodeId = std::uint32_t;
using Marks = std::uint64_t;

// A transition of the automaton: the letter must have all positive and no negative bits.
struct AutomatonTransition {
  std::uint32_t source;
  std::uint64_t positive;
  std::uint64_t negative;
  std::uint32_t target;
  Marks marks;
};

// A generalised Büchi automaton; a letter's lower bits are state propositions, the bits above are events.
struct Automaton {
  std::uint32_t states = 1;
  std::uint32_t initial = 0;
  unsigned acceptance_sets = 0;
  std::vector<AutomatonTransition> transitions;
  std::vector<std::int32_t> propositions;                       // as Graph::propositions understands them
  std::vector<std::pair<LabelId, std::uint64_t>> event_bits;    // letter bits of labels
  std::vector<std::uint8_t> may_accept;                         // per state: lies in an accepting component

  [[nodiscard]] Marks all_marks() const {
    return acceptance_sets == 64 ? ~Marks{0} : (Marks{1} << acceptance_sets) - 1;
  }
};

struct Successor {
  std::uint32_t state;
  Marks marks;
};

// Position in the enumeration of a node's successors.
struct SuccessorCursor {
  std::uint32_t edge = 0;
  std::uint32_t choice = 0;
};

// One step of the product. `edge` counts the state's transitions; an idling state has one, kNone.
struct ProductStep {
  NodeId target;
  Marks marks;
  std::uint32_t edge;
  ActionId action;
};

class Product {
 public:
  Product(Graph& graph, Automaton automaton);

  Graph& graph() { return graph_; }
  [[nodiscard]] const Automaton& automaton() const { return automaton_; }
  [[nodiscard]] std::size_t node_count() const { return states_.size(); }
  [[nodiscard]] StateId state_of(NodeId node) const { return states_[node]; }
  [[nodiscard]] std::uint32_t automaton_state_of(NodeId node) const { return automaton_states_[node]; }

  [[nodiscard]] const std::vector<NodeId>& initial_nodes();

  // The next step from a node, or false; steps to nodes never seen add them.
  bool next(NodeId node, SuccessorCursor& cursor, ProductStep& step) {
    const StateId state = states_[node];
    const std::uint32_t automaton_state = automaton_states_[node];
    const EdgeSpan edges = graph_.edges(state);
    if (edges.count == 0) return next_idle(state, automaton_state, cursor, step);
    while (cursor.edge < edges.count) {
      const StateId target = edges.targets[cursor.edge];
      const ActionId action = edges.actions[cursor.edge];
      const std::span<const Successor> choices = successors(automaton_state, target, action);
      if (cursor.choice < choices.size()) {
        const Successor& chosen = choices[cursor.choice++];
        step = {node_at(target, chosen.state), chosen.marks, cursor.edge, action};
        return true;
      }
      cursor.choice = 0;
      ++cursor.edge;
    }
    return false;
  }

 private:
  bool next_idle(StateId state, std::uint32_t automaton_state, SuccessorCursor& cursor, ProductStep& step);
  std::span<const Successor> successors(std::uint32_t automaton_state, StateId target, ActionId action) {
    const std::uint32_t letter = letter_class(target, action);
    if (letter >= rows_.size() || rows_[letter].empty()) build_row(letter);
    const Range range = rows_[letter][automaton_state];
    return {pool_.data() + range.first, range.count};
  }
  std::uint32_t letter_class(StateId target, ActionId action) {
    if (target >= valuations_.size() || valuations_[target] == 0) evaluate(target);
    if (action >= action_classes_.size()) classify_actions();
    return std::uint32_t{valuations_[target] - 1u} * static_cast<std::uint32_t>(event_masks_.size()) +
           action_classes_[action];
  }
  NodeId node_at(StateId state, std::uint32_t automaton_state) {
    const std::size_t at = std::size_t{state} * automaton_.states + automaton_state;
    if (at >= nodes_.size()) nodes_.resize((std::size_t{state} + 1) * automaton_.states, kNone);
    if (nodes_[at] == kNone) {
      nodes_[at] = static_cast<NodeId>(states_.size());
      states_.push_back(state);
      automaton_states_.push_back(static_cast<std::uint16_t>(automaton_state));
    }
    return nodes_[at];
  }
  void evaluate(StateId state);
  void classify_actions();
  void build_row(std::uint32_t letter);

  struct Range {
    std::uint32_t first;
    std::uint32_t count;
  };

  Graph& graph_;
  Automaton automaton_;
  ChunkedVector<NodeId> nodes_;  // state * automaton states + automaton state
  ChunkedVector<StateId> states_;
  ChunkedVector<std::uint16_t> automaton_states_;
  ChunkedVector<std::uint16_t> valuations_;  // per state: number of its valuation + 1, 0 if not evaluated
  std::vector<std::uint64_t> valuation_masks_;
  std::unordered_map<std::uint64_t, std::uint16_t> valuation_numbers_;
  std::vector<std::uint64_t> event_masks_{0};
  std::vector<std::uint16_t> action_classes_;
  std::vector<std::vector<Range>> rows_;  // letter class -> automaton state -> successors
  std::vector<Successor> pool_;
  std::vector<NodeId> initial_;
  bool initial_known_ = false;
};

}  // namespace fairlead
