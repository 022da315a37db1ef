// The reachable states of a system as a decision diagram, and the operations from which fixpoints are made.
#pragma once

#include <string>

#include "symbolic/groups.hpp"

namespace fairlead {

// The steps by some actions: of each group that has such.
struct Relation {
  struct Part {
    std::uint32_t group;
    KeptSet forward;
    KeptSet backward;
  };
  std::vector<ActionId> actions;
  std::vector<Part> parts;
};

// Sets are of states that are reachable; explore() comes before everything but begin(). Whatever is given must be kept.
class SymbolicSpace {
 public:
  SymbolicSpace(Network& network, Budget& budget, Ticker& ticker)
      : diagrams_(budget, ticker), groups_(network, diagrams_) {}

  // Takes the initial state and chooses an order of the levels: by how the groups belong together, or for tests a random one
  // with this seed. Why the system cannot be encoded, if so.
  std::optional<std::string> begin(const Unpacked& initial, std::uint64_t seed);
  // Finds all reachable states, by saturation (Ciardo, Marmorstein and Siminiescu, 2003) with steps that are learnt
  // meanwhile. Why the system cannot be encoded, if so; throws ModelFault if a step fails.
  std::optional<std::string> explore();

  [[nodiscard]] Diagram initial() const { return initial_.get(); }
  [[nodiscard]] Diagram reachable() const { return reachable_.get(); }
  // The actions of the steps between reachable states.
  std::vector<ActionId> used_actions();
  // The steps by some of these; all steps, if they are all of them.
  std::uint32_t relation(std::vector<ActionId> actions);

  // The reachable states after, or before, a step from a set.
  Diagram post(Diagram set, std::uint32_t relation) { return step(set, relation, true); }
  Diagram pre(Diagram set, std::uint32_t relation) { return step(set, relation, false); }
  // The states of `within` from which steps of a relation to states of `through` lead to `goal`, and those of `goal`.
  Diagram backward(Diagram goal, Diagram within, Diagram through, std::uint32_t relation);
  // The states of `within` to which steps of a relation lead from `start`, and those of `start`.
  Diagram forward(Diagram start, Diagram within, std::uint32_t relation);
  // Growing sets, from `start` until one meets the goal; each has besides the one before what one group of steps leads to.
  std::vector<KeptSet> chain(Diagram start, Diagram goal, std::uint32_t relation);
  // The states of a set in which a condition on variables holds; nothing if that depends on too many combinations of these.
  std::optional<Diagram> holding(Diagram set, CodeId condition);
  Diagram ended(Diagram set) { return groups_.ended(set); }

  Diagrams& diagrams() { return diagrams_; }
  Groups& groups() { return groups_; }

 private:
  Diagram step(Diagram set, std::uint32_t relation, bool is_forward);
  // The least set that has `set`, whose vectors begin at a level, and all that the groups from this level on lead to.
  Diagram saturate(Diagram set, std::size_t level);
  // Random walks, to find the groups on which the order of the levels depends.
  void walk(const Unpacked& initial);
  void sort_by_top();

  Diagrams diagrams_;
  Groups groups_;
  KeptSet initial_;
  KeptSet reachable_;
  std::vector<std::vector<std::uint32_t>> by_top_;  // groups, by the first level that they touch
  std::uint32_t learnt_ = 0;                        // how often there were new steps
  std::vector<Relation> relations_;
};

}  // namespace fairlead
