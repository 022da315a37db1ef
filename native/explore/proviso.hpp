// That no step is put off forever: which states of a reduced graph must have all their steps after all.
//
// States are examined when nothing is left to explore. A reduced state leads only to states that were known when it was
// examined, so what was found in order stays so, and only states that came since are examined.
#pragma once

#include "explore/graph.hpp"
#include "memory/bits.hpp"

namespace fairlead {

enum class Proviso : std::uint8_t {
  kNone = 0,
  kReached = 1,  // from every state one with all its steps can be reached: enough for what finite runs show
  kCycles = 2,  // every cycle has a state with all its steps: enough for infinite runs
};

class ReducedStates {
 public:
  ReducedStates(Budget& budget, Proviso proviso) : budget_(budget), proviso_(proviso), reduced_(budget) {}

  void note(StateId state) {
    if (reduced_.size() <= state) reduced_.resize(state + std::size_t{1}, 0);
    reduced_[state] = 1;
    ++count_;
    ++noted_;
  }
  [[nodiscard]] bool has(StateId state) const { return state < reduced_.size() && reduced_[state] != 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  // How many have ever been noted.
  [[nodiscard]] std::size_t noted() const { return noted_; }
  [[nodiscard]] bool is_settled(std::size_t states) const { return proviso_ == Proviso::kNone || settled_ >= states; }

  // The states that must have all their steps, ascending; they are no longer among the reduced ones. Every state of the
  // graph must have been expanded.
  std::vector<StateId> to_expand(Graph& graph);

 private:
  std::vector<StateId> on_cycles(Graph& graph);
  std::vector<StateId> never_left(Graph& graph);

  Budget& budget_;
  Proviso proviso_;
  ChunkedVector<std::uint8_t> reduced_;
  std::size_t settled_ = 0;  // so many states are in order
  std::size_t count_ = 0;
  std::size_t noted_ = 0;
};

}  // namespace fairlead
