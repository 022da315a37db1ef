// Dives: searches that go deep at once, to find goals and violations before everything that is nearer has been explored.
//
// They have a graph of their own, which they share; the exhaustive search beside them does not see it. So what that counts,
// and which runs it finds, does not depend on dives. A dive visits no state twice, goes down to a certain depth, and leaves
// out whatever lies beyond: that it finds nothing means nothing.
#pragma once

#include "search/closeness.hpp"
#include "search/lasso.hpp"

namespace fairlead {

// What is searched for, in the product of a graph with an automaton: a goal of the system (with an automaton that reads
// everything), or a state of the automaton that accepts whatever follows.
class DiveGoal {
 public:
  DiveGoal(NetworkGraph& graph, Product& product, Goal goal, CodeId condition, std::vector<std::uint8_t> accepting)
      : graph_(graph), product_(product), goal_(goal), condition_(condition), accepting_(std::move(accepting)) {}

  [[nodiscard]] NetworkGraph& graph() const { return graph_; }
  [[nodiscard]] Product& product() const { return product_; }
  // Whether a node is what is searched for; whether its state has steps is examined only if the state `is_expanded`.
  bool is_met(NodeId node, bool is_expanded);

 private:
  bool is_stuck(StateId state);

  NetworkGraph& graph_;
  Product& product_;
  Goal goal_;
  CodeId condition_;
  std::vector<std::uint8_t> accepting_;  // per state of the automaton; empty if a goal of the system is searched for
};

// Where a dive goes first: to the first or the last successor, in the order of the text; to any; to any of those that are
// nearest to the goal, or, of all states that it has met, to the one that is.
enum class DiveOrder : std::uint8_t { kFirst, kLast, kRandom, kDownhill, kNearest };

// Numbers that look random, the same ones for the same seed (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // Below `end`, which is not 0.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

 private:
  std::uint64_t state_;
};

// Invariant: every node met has its depth + 1 in depths_; those that wait to be visited are in lists of entries_, one list
// for each rank, the newest first. No list below lowest_ has any.
class Dive {
 public:
  // `closeness` is needed by the last two orders.
  Dive(DiveGoal& goal, DiveOrder order, std::uint64_t seed, std::uint32_t deepest, Closeness* closeness);
  Dive(const Dive&) = delete;
  Dive& operator=(const Dive&) = delete;

  // Continues for so much more work; kNone if nothing is left to visit. A visit is one piece of work, and one more for every
  // few steps of the state.
  SearchStatus run(std::uint64_t work);
  // The work that was done.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kEnd = kNone;
  static constexpr std::uint32_t kFewSteps = 8;

  struct Entry {
    NodeId node;
    std::uint32_t next;
  };

  // Whether a node that was not met before is what is searched for.
  bool meet(NodeId node, std::uint32_t depth);
  // Whether a node, or one that its steps lead to, is what is searched for.
  bool visit(NodeId node);
  void push_fresh();
  void push(NodeId node, std::uint32_t rank);
  NodeId pop();

  DiveGoal& goal_;
  DiveOrder order_;
  Random random_;
  std::uint32_t deepest_;
  Closeness* closeness_;
  LayeredArray<std::uint32_t> depths_;
  ChunkedVector<Entry, 12> entries_;
  std::uint32_t unused_ = kEnd;  // entries
  std::vector<std::uint32_t> lists_;
  std::size_t lowest_ = 0;
  std::vector<NodeId> fresh_;  // successors of the node that is visited
  std::vector<std::pair<std::uint32_t, NodeId>> ranked_;
  bool started_ = false;
  std::uint64_t work_ = 0;
};

// A short run to what was found: the shortest through the states that dives have expanded, and then, within so many
// expansions, through states near the run; again, as long as that makes it shorter.
Lasso shortened_run(DiveGoal& goal, std::uint64_t effort);

}  // namespace fairlead
