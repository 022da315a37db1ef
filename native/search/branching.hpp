// CTL over fair paths on a complete graph, after Emerson and Lei: for each formula the positions where it holds.
//
// A position is a state with the step into it; what can come after depends on the state alone. So a formula is
// kept as sets of states: one for each kind of step into them, as far as step atoms tell steps apart, and just
// one where the formula reads no step atoms. Nothing is added to the graph.
#pragma once

#include "search/fair_states.hpp"
#include "search/lasso.hpp"

namespace fairlead {

using FormulaId = std::uint32_t;

// Formulas are numbered as they are made from their parts. What is computed once is kept.
class Labelling {
 public:
  // Unless it `idles`, a state without steps is the end of a path, and finite paths do not count.
  // `always_continues`: every finite path is the beginning of a fair one.
  Labelling(Atoms& atoms, Fairness fairness, bool idles, bool always_continues);
  Labelling(const Labelling&) = delete;
  Labelling& operator=(const Labelling&) = delete;

  FormulaId constant(bool value);
  FormulaId atom(std::uint32_t atom);
  FormulaId negation(FormulaId p);
  FormulaId conjunction(FormulaId p, FormulaId q);
  FormulaId disjunction(FormulaId p, FormulaId q);
  // Some fair path has p at its next position / q at some position and p before / p at all positions.
  FormulaId next(FormulaId p);
  FormulaId until(FormulaId p, FormulaId q);
  FormulaId always(FormulaId p);
  // A letter of an automaton: a formula that reads no step atoms, or a step atom.
  struct Letter {
    bool is_step;
    std::uint32_t number;
  };
  // Some fair path is accepted by an automaton that reads these letters, as bits in this order.
  FormulaId accepted(const Automaton& automaton, const std::vector<Letter>& letters);

  // Kinds of steps: the atoms that are true after them. Kind 0 is none: the start, and idling.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& kinds() const { return atoms_of_kind_; }
  [[nodiscard]] bool reads_steps(FormulaId p) const { return truths_[p].size() > 1; }
  // The formula that holds in a state iff p does after a step of some kind into it.
  FormulaId after(FormulaId p, std::uint32_t kind);

  [[nodiscard]] bool holds(FormulaId p, StateId state, ActionId action) const {
    return truth(p, kinds_[action]).has(state);
  }
  // Whether a fair path begins in a state.
  bool is_fair(StateId state) { return fair().has(state); }
  // Whether one begins in every state that was reached.
  bool is_always_fair();
  // The states that were reached where p holds after every step into them, and those where after some only.
  [[nodiscard]] std::pair<BitSet, BitSet> where(FormulaId p);

  // A shortest way from a state to a position with q, from which a fair path continues, over positions with p; at
  // least one step.
  std::vector<RunStep> way(StateId state, FormulaId p, FormulaId q);
  // A fair path from a state, after its start only over positions with p.
  Lasso fair_path(StateId state, FormulaId p);
  // A fair path from a position that the automaton of `accepted` accepts.
  Lasso accepted_path(StateId state, ActionId action, FormulaId formula);

 private:
  using Truth = std::vector<BitSet>;  // per kind of step, or one for all
  // What accepts the paths of one formula.
  struct PathFormula {
    std::vector<Letter> letters;
    std::unique_ptr<Atoms> atoms;
    std::unique_ptr<Product> product;
  };

  [[nodiscard]] const BitSet& truth(FormulaId p, std::uint32_t kind) const {
    const Truth& found = truths_[p];
    return found.size() == 1 ? found[0] : found[kind];
  }
  FormulaId add(Truth truth);
  template <typename Combine>
  FormulaId combined(FormulaId p, FormulaId q, Combine&& combine);
  void find_kinds();
  void evaluate_atoms();
  [[nodiscard]] BitSet none() const { return {budget(), graph_.state_count()}; }
  [[nodiscard]] Budget& budget() const { return graph_.budget(); }
  [[nodiscard]] bool is_stuck(StateId state) { return graph_.is_expanded(state) && graph_.edge_count(state) == 0; }
  const BitSet& fair();
  const ReverseSteps& reverse();
  // The candidates from which a fair path continues over positions with p.
  BitSet fair_states(FormulaId p, BitSet candidates);
  // The states with a step to a position with p from which a fair path continues.
  BitSet before(FormulaId p);
  [[nodiscard]] StepFilter filter(FormulaId p) const;
  // The letters that are true after a step with these atoms, whatever the state.
  static std::uint64_t letter_bits(const std::vector<std::uint32_t>& step_atoms, const std::vector<Letter>& letters);
  // The nodes that can be reached from these, and these.
  static std::vector<NodeId> reachable(Product& product, std::vector<NodeId> nodes);

  Atoms& atoms_;
  Graph& graph_;
  Fairness fairness_;
  bool idles_;
  bool always_continues_;
  std::vector<std::uint32_t> kinds_;                       // per action
  std::vector<std::vector<std::uint32_t>> atoms_of_kind_;  // step atoms
  std::vector<Truth> truths_;                              // per formula
  std::vector<FormulaId> formula_of_atom_;
  std::optional<BitSet> fair_;
  std::optional<ReverseSteps> reverse_;
  Atoms no_atoms_;
  std::unordered_map<FormulaId, PathFormula> paths_;
};

}  // namespace fairlead
