// The smallest system bisimilar to a graph.
#pragma once

#include <optional>

#include "minimise/lts.hpp"

namespace fairlead {

// kStrong: internal steps are steps like any other. kWeak: they are not seen, but for a livelock: internal steps
// forever without any way out. kDivergence: nor are they here, but for all cycles of internal steps.
enum class Equivalence { kStrong, kWeak, kDivergence };

// How the states of a graph are to be examined.
struct Observation {
  std::vector<std::uint32_t> labels;  // per action; kTauLabel for internal ones
  std::uint32_t label_count;          // all labels are below
  std::vector<StateId> ended;         // have terminated: distinguished from states that can do nothing
  std::vector<StateId> wrong;         // erroneous: distinguished from all others
};

// The graph must be completely explored. Blocks are sets of equivalent states that can be reached, numbered breadth
// first; block 0 is the initial one. Several initial states are entered from one more by internal steps.
class Bisimulation {
 public:
  Bisimulation(Graph& graph, Observation observation, Equivalence equivalence);

  void run();

  [[nodiscard]] std::size_t block_count() const { return result_.size(); }
  [[nodiscard]] std::size_t edge_count() const { return result_.edge_count(); }
  [[nodiscard]] std::span<const LtsEdge> edges(std::uint32_t block) const { return result_.edges(block); }
  // kNone for a state that cannot be reached.
  [[nodiscard]] std::uint32_t block_of(StateId state) const {
    return numbers_[state] == kNone ? kNone : of_[numbers_[state]];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& ended() const { return ended_; }
  [[nodiscard]] std::optional<std::uint32_t> wrong() const { return wrong_; }
  // What was examined: reachable states and their transitions, actions of the same label taken as one.
  [[nodiscard]] std::size_t node_count() const { return nodes_; }

 private:
  Lts read();
  Lts merged(Lts lts, const Membership& of, std::size_t count, InnerTau inner, const Loops& loops = {});
  Lts minimised_strong(Lts lts);
  Lts minimised_weak(Lts lts);
  Lts without_tau_cycles(Lts lts);
  void number_blocks(const Lts& lts);
  [[nodiscard]] std::uint32_t divergence_label() const { return observation_.label_count; }
  [[nodiscard]] std::uint32_t ended_label() const { return observation_.label_count + 1; }
  [[nodiscard]] std::vector<std::uint32_t> wrong_nodes() const;

  Graph& graph_;
  Budget& budget_;
  Ticker& ticker_;
  Observation observation_;
  Equivalence equivalence_;
  Charged<std::uint32_t> numbers_;  // per state of the graph; kNone if it cannot be reached
  Membership of_;                   // per number: the node of the system as merged so far
  Lts result_;
  std::size_t nodes_ = 0;
  std::vector<std::uint32_t> ended_;
  std::optional<std::uint32_t> wrong_;
};

}  // namespace fairlead
