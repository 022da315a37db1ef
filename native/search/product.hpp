// The product of a system's graph with an automaton, built as it is walked.
//
// A node is a state with the automaton's state after reading the word up to it: position i of the word is
// what holds in state i and the event of the step into it. The step from (s, b) by action a to s' reads the
// letter (propositions of s', event of a).
#pragma once

#include "search/atoms.hpp"

namespace fairlead {

using Marks = std::uint64_t;

// A state with a state of the automaton.
using NodeId = std::uint64_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

inline NodeId make_node(StateId state, std::uint32_t automaton_state) {
  return (NodeId{automaton_state} << 32) | state;
}
inline StateId state_of(NodeId node) { return static_cast<StateId>(node); }
inline std::uint32_t automaton_state_of(NodeId node) { return static_cast<std::uint32_t>(node >> 32); }

// A value for every node, in one layer per state of the automaton, so that layers a search never enters
// cost nothing. Nodes beyond what was written have the value `empty`.
template <typename T>
class LayeredArray {
 public:
  LayeredArray(Budget& budget, std::uint32_t layers, T empty) : empty_(empty) {
    for (std::uint32_t i = 0; i < layers; ++i) layers_.push_back(std::make_unique<ChunkedVector<T>>(budget));
  }
  LayeredArray(const LayeredArray&) = delete;
  LayeredArray& operator=(const LayeredArray&) = delete;

  [[nodiscard]] const T& get(NodeId node) const {
    const auto& layer = *layers_[automaton_state_of(node)];
    return state_of(node) < layer.size() ? layer[state_of(node)] : empty_;
  }
  T& at(NodeId node) {
    auto& layer = *layers_[automaton_state_of(node)];
    if (state_of(node) >= layer.size()) layer.resize(state_of(node) + std::size_t{1}, empty_);
    return layer[state_of(node)];
  }
  void prefetch(NodeId node) const {
    const auto& layer = *layers_[automaton_state_of(node)];
    if (state_of(node) < layer.size()) __builtin_prefetch(&layer[state_of(node)]);
  }

 private:
  T empty_;
  std::vector<std::unique_ptr<ChunkedVector<T>>> layers_;
};

// A transition of the automaton: the letter must have all positive and no negative bits.
struct AutomatonTransition {
  std::uint32_t source;
  std::uint64_t positive;
  std::uint64_t negative;
  std::uint32_t target;
  Marks marks;

  [[nodiscard]] bool reads(std::uint64_t letter) const { return (positive & ~letter) == 0 && (negative & letter) == 0; }
};

// Letters and marks of an automaton have so many bits.
inline constexpr std::size_t kMostBits = 64;

// A generalised Büchi automaton; the bits of a letter are atoms.
struct Automaton {
  std::uint32_t states = 1;
  std::uint32_t initial = 0;
  unsigned acceptance_sets = 0;
  std::vector<AutomatonTransition> transitions;
  std::vector<std::uint8_t> may_accept;  // per state: lies in an accepting component

  // The automaton of one state that accepts whatever it reads.
  static Automaton everything() {
    Automaton automaton;
    automaton.transitions.push_back({0, 0, 0, 0, 0});
    automaton.may_accept.push_back(1);
    return automaton;
  }

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

// Steps that may be taken: for each kind of action the states that one may lead to.
class StepFilter {
 public:
  // `kinds` gives the kind of every action of the graph.
  StepFilter(const std::vector<std::uint32_t>& kinds, std::vector<const BitSet*> allowed)
      : kinds_(kinds), allowed_(std::move(allowed)) {}

  [[nodiscard]] bool allows(StateId target, ActionId action) const { return allows_kind(target, kinds_[action]); }
  [[nodiscard]] bool allows_kind(StateId target, std::uint32_t kind) const { return allowed_[kind]->has(target); }

 private:
  const std::vector<std::uint32_t>& kinds_;
  std::vector<const BitSet*> allowed_;
};

class Product {
 public:
  // The automaton reads at most 64 atoms. Without `filter` all steps may be taken; unless it `idles`, a state
  // without steps is the end of a path.
  Product(Atoms& atoms, Automaton automaton, const StepFilter* filter = nullptr, bool idles = true);

  Graph& graph() { return graph_; }
  [[nodiscard]] const Automaton& automaton() const { return automaton_; }
  // Whether some steps may not be taken, or paths end where there are none.
  [[nodiscard]] bool is_filtered() const { return filter_ != nullptr || !idles_; }
  [[nodiscard]] const std::vector<NodeId>& initial_nodes();
  // Appends the nodes of executions that start in a state; `step_bits` are atoms of the step into it.
  void start_nodes(StateId state, std::uint64_t step_bits, std::vector<NodeId>& out);

  // Whether the automaton's first state continues whatever is read, and accepts nothing itself: then it can be
  // in that state wherever the system is, and only what leaves it matters.
  [[nodiscard]] bool initial_waits() const;
  // Appends the nodes that are entered from the automaton's first state by the steps of a state.
  void entries_from(StateId state, std::vector<NodeId>& out);

  // --- letters of a complete graph: what holds in a state, and the class of an action
  // Finds out all of them; to be called first.
  void evaluate_all();
  [[nodiscard]] std::size_t valuation_count() const { return valuation_masks_.size(); }
  [[nodiscard]] std::size_t class_count() const { return step_masks_.size(); }
  [[nodiscard]] std::size_t valuation(StateId state) const { return valuations_[state] - 1u; }
  [[nodiscard]] std::size_t letter_class(ActionId action) const { return action_classes_[action]; }
  [[nodiscard]] std::uint64_t letter(std::size_t step_class, std::size_t valuation) const {
    return step_masks_[step_class] | valuation_masks_[valuation];
  }
  void prefetch_valuation(StateId state) const { valuations_.prefetch(state); }

  // The transitions of the state of a node. They stay until those of another state are examined, here or by next().
  EdgeSpan edges(NodeId node) { return graph_.edges(state_of(node), edges_); }

  // Asks for what next() will look at, where the transitions are at hand.
  void prefetch(NodeId node) {
    if (accepts_all_) return;
    const EdgeSpan edges = graph_.kept_edges(state_of(node));
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      if (edges.targets[i] < valuations_.size()) __builtin_prefetch(&valuations_[edges.targets[i]]);
    }
  }

  // The next step from a node, or false.
  bool next(NodeId node, SuccessorCursor& cursor, ProductStep& step) {
    const StateId state = state_of(node);
    const std::uint32_t automaton_state = automaton_state_of(node);
    const EdgeSpan edges = this->edges(node);
    if (edges.count == 0) return next_idle(state, automaton_state, cursor, step);
    while (cursor.edge < edges.count) {
      const StateId target = edges.targets[cursor.edge];
      const ActionId action = edges.actions[cursor.edge];
      if (filter_ != nullptr && !filter_->allows(target, action)) {
        ++cursor.edge;
        continue;
      }
      if (accepts_all_) {
        step = {make_node(target, 0), 0, cursor.edge++, action};
        return true;
      }
      const std::span<const Successor> choices = successors(automaton_state, target, action);
      if (cursor.choice < choices.size()) {
        const Successor& chosen = choices[cursor.choice++];
        step = {make_node(target, chosen.state), chosen.marks, cursor.edge, action};
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
    if (action >= action_classes_.size()) classify_actions();
    return choices(automaton_state, target, action_classes_[action]);
  }
  std::span<const Successor> choices(std::uint32_t automaton_state, StateId target, std::uint16_t step_class) {
    if (target >= valuations_.size() || valuations_[target] == 0) evaluate(target);
    const std::uint32_t valuation = valuations_[target] - 1u;
    std::vector<Row>& rows = rows_[step_class];
    if (valuation >= rows.size() || rows[valuation].empty()) build_row(valuation, step_class);
    const Range range = rows[valuation][automaton_state];
    return {pool_.data() + range.first, range.count};
  }
  void evaluate(StateId state);
  void classify_actions();
  std::uint16_t step_class(std::uint64_t bits);
  void build_row(std::uint32_t valuation, std::uint16_t step_class);

  struct Range {
    std::uint32_t first;
    std::uint32_t count;
  };
  using Row = std::vector<Range>;  // per state of the automaton

  Atoms& atoms_;
  Graph& graph_;
  Automaton automaton_;
  const StepFilter* filter_;
  bool idles_;
  bool accepts_all_;  // in its one state the automaton reads whatever comes
  ChunkedVector<std::uint16_t> valuations_;  // per state: number of its valuation + 1, 0 if not evaluated
  std::vector<std::uint64_t> valuation_masks_;
  std::unordered_map<std::uint64_t, std::uint16_t> valuation_numbers_;
  std::vector<std::uint64_t> step_masks_;     // per class of actions: the atoms of the step
  std::vector<std::uint16_t> action_classes_;
  std::vector<std::vector<Row>> rows_;        // class of actions -> valuation -> successors
  std::vector<Successor> pool_;
  std::vector<NodeId> initial_;
  bool initial_known_ = false;
  EdgeBuffer edges_;
};

}  // namespace fairlead
