#include "search/seen_values.hpp"

#include <algorithm>

namespace fairlead {

namespace {

// One pass. Invariant: `open_` are the atoms that may still be seen with another value.
class Pass {
 public:
  explicit Pass(Atoms& atoms) : atoms_(atoms), seen_(atoms.count()), words_(atoms.word_count()) {
    std::vector<std::uint8_t> has_action(atoms.count(), 0);
    for (ActionId action = 0; action < atoms.graph().labels().action_count(); ++action) {
      for (const std::uint32_t atom : atoms.of_action(action)) has_action[atom] = 1;
    }
    for (std::uint32_t atom = 0; atom < atoms.count(); ++atom) {
      if (!atoms.is_step(atom)) {
        open_states_.push_back(atom);
        continue;
      }
      seen_[atom].is_false = true;  // no step leads into the start
      if (has_action[atom] != 0) open_steps_.push_back(atom);
    }
  }

  [[nodiscard]] bool is_over() const { return open_states_.empty() && open_steps_.empty(); }

  void look_at(StateId state) {
    if (!open_states_.empty()) {
      atoms_.of_state(state, words_);
      for (const std::uint32_t atom : open_states_) {
        const bool is_true = (words_[atom >> 6] >> (atom & 63) & 1) != 0;
        (is_true ? seen_[atom].is_true : seen_[atom].is_false) = true;
      }
      close(open_states_);
    }
    if (!open_steps_.empty()) {
      const EdgeSpan edges = atoms_.graph().edges(state, edges_);
      for (std::uint32_t i = 0; i < edges.count; ++i) {
        for (const std::uint32_t atom : atoms_.of_action(edges.actions[i])) seen_[atom].is_true = true;
      }
      close(open_steps_);
    }
  }

  [[nodiscard]] std::vector<SeenValues> seen() && { return std::move(seen_); }

 private:
  void close(std::vector<std::uint32_t>& open) {
    std::erase_if(open, [this](std::uint32_t atom) { return seen_[atom].is_true && seen_[atom].is_false; });
  }

  Atoms& atoms_;
  std::vector<SeenValues> seen_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> open_states_, open_steps_;
  EdgeBuffer edges_;
};

}  // namespace

std::vector<SeenValues> seen_values(Atoms& atoms) {
  Graph& graph = atoms.graph();
  // states of an explicit graph that were never reached are not expanded
  const bool may_be_unreached = dynamic_cast<const ExplicitGraph*>(&graph) != nullptr;
  Pass pass(atoms);
  for (StateId state = 0; state < graph.state_count() && !pass.is_over(); ++state) {
    if (may_be_unreached && !graph.is_expanded(state)) continue;
    graph.ticker().tick();
    pass.look_at(state);
  }
  return std::move(pass).seen();
}

}  // namespace fairlead
