// Atoms of a question: what it asks about a position of an execution, a state with the step into it.
//
// A state atom is a proposition of the system, or whether certain actions are enabled, or whether an annotation
// is ready, or whether the state is in a given set. A step atom is true after a step by certain actions. Idling
// is none of them.
#pragma once

#include "explore/annotations.hpp"
#include "memory/bits.hpp"

namespace fairlead {

// The actions that have one of the labels, or in which one of the processes takes part.
struct ActionSet {
  std::vector<LabelId> labels;
  std::vector<ProcessId> processes;
};

class Atoms {
 public:
  // `annotations` is needed for readiness alone.
  explicit Atoms(Graph& graph, const Annotations* annotations = nullptr) : graph_(graph), annotations_(annotations) {}
  Atoms(const Atoms&) = delete;
  Atoms& operator=(const Atoms&) = delete;

  // Each gives the number of the atom; numbers are dense.
  std::uint32_t add_own(std::int32_t code);
  std::uint32_t add_enabled(const ActionSet& actions);
  std::uint32_t add_ready(std::uint32_t annotation);
  std::uint32_t add_member(const BitSet& states);
  std::uint32_t add_step(const ActionSet& actions);
  // A counted process leaves, or enters, the local state where it has this name.
  std::uint32_t add_left(ProcessId process);
  std::uint32_t add_entered(ProcessId process);

  [[nodiscard]] Graph& graph() const { return graph_; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(is_step_.size()); }
  [[nodiscard]] bool is_step(std::uint32_t atom) const { return is_step_[atom] != 0; }
  // The actions of a step atom.
  [[nodiscard]] const ActionSet& actions(std::uint32_t atom) const { return actions_.at(atom); }
  [[nodiscard]] std::size_t word_count() const { return (is_step_.size() + 63) / 64; }

  // The state atoms that hold in a state, as bits of `word_count` words.
  void of_state(StateId state, std::span<std::uint64_t> words);
  // The step atoms that hold after an action.
  std::span<const std::uint32_t> of_action(ActionId action) {
    if (action >= of_action_.size()) learn_actions();
    return of_action_[action].step_atoms;
  }
  // The same as bits, of at most 64 atoms.
  std::uint64_t state_bits(StateId state) {
    std::uint64_t bits = 0;
    if (count() != 0) of_state(state, std::span(&bits, 1));
    return bits;
  }
  std::uint64_t step_bits(ActionId action) {
    std::uint64_t bits = 0;
    for (const std::uint32_t atom : of_action(action)) bits |= std::uint64_t{1} << atom;
    return bits;
  }

 private:
  using Lists = std::vector<std::vector<std::uint32_t>>;  // number of a name -> atoms
  struct OfAction {
    std::vector<std::uint32_t> step_atoms;
    std::vector<std::uint32_t> enabled_atoms;
  };

  std::uint32_t add(bool is_step);
  static void list(Lists& lists, std::uint32_t name, std::uint32_t atom);
  void learn_actions();

  Graph& graph_;
  const Annotations* annotations_;
  std::vector<std::uint8_t> is_step_;
  std::unordered_map<std::uint32_t, ActionSet> actions_;  // of step atoms
  std::vector<std::int32_t> own_codes_;
  std::vector<std::uint32_t> own_atoms_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ready_;  // annotation, atom
  std::vector<std::pair<const BitSet*, std::uint32_t>> members_;
  bool any_enabled_ = false;
  Lists step_by_label_, step_by_process_, step_by_left_, step_by_entered_, enabled_by_label_, enabled_by_process_;
  std::vector<OfAction> of_action_;
  EdgeBuffer edges_;
};

}  // namespace fairlead
