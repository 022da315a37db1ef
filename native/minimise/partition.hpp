// Strong and branching bisimulation by refining a partition, and weak bisimulation on what they leave.
//
// The signature of a node is the set of (label, block of the target) that it can do. A block whose nodes differ in
// their signatures is split. Blocks are examined again only if something their nodes lead to was split off, and
// the largest part keeps its number, so that a node is moved at most log(n) times (Blom & Orzan; Hopcroft).
#pragma once

#include "minimise/lts.hpp"

namespace fairlead {

enum class TauSteps { kVisible, kInert };

// Refines {rest, marked nodes} until it is a bisimulation. With kInert it is branching bisimulation: steps within
// a block are passed over; the system must have no cycles of internal steps and be numbered so that internal steps
// lead to smaller numbers.
//
// Invariants: order_ holds the nodes of a block side by side, those to be examined (dirty) first. All nodes of a
// block that are not dirty have the same signature.
class Refinement {
 public:
  Refinement(const Lts& lts, std::span<const std::uint32_t> marked, TauSteps tau, Budget& budget, Ticker& ticker);

  void run();
  [[nodiscard]] std::size_t block_count() const { return blocks_.size(); }
  Membership take_blocks() { return std::move(block_); }

 private:
  struct Block {
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t dirty;
    std::uint32_t bottom;  // a node without internal steps within the block, if it is still one; kNone
  };
  // kAlone: the only node of its block
  static constexpr std::uint8_t kClean = 0, kDirty = 1, kAlone = 2;
  struct Group {
    std::uint64_t hash;
    std::uint64_t at;  // in pool_
    std::uint32_t length;
    std::uint32_t count;
  };

  void mark(std::uint32_t node);
  void mark_inert_predecessors(std::uint32_t block);
  void process(std::uint32_t block);
  std::uint32_t clean_bottom(std::uint32_t block);
  void own_signature(std::uint32_t node);
  std::uint32_t group_of_signature();
  void split(std::uint32_t block);
  [[nodiscard]] bool is_dirty(std::uint32_t node) const { return flags_[node] == kDirty; }

  const Lts& lts_;
  bool inert_;
  Ticker& ticker_;
  Predecessors into_;
  std::optional<Predecessors> into_by_tau_;  // for inert steps
  Membership block_;
  // per node: small enough to stay in the cache, where most marking ends
  Charged<std::uint8_t> flags_;
  Charged<std::uint32_t> order_;
  Charged<std::uint32_t> place_;
  Charged<Block> blocks_;
  Charged<std::uint32_t> waiting_;  // blocks with dirty nodes
  // while a block is processed
  std::vector<std::uint64_t> signature_;
  Charged<std::uint64_t> pool_;
  Charged<Group> groups_;
  Charged<std::uint32_t> slots_;
  Charged<std::uint32_t> group_of_;  // per node
  Charged<std::uint32_t> sorted_;
};

// Weak bisimulation of a system without cycles of internal steps, numbered so that they lead to smaller numbers:
// for each node the blocks it reaches by internal steps, and by a label with internal steps around it, computed
// along the internal steps and interned.
class WeakRefinement {
 public:
  WeakRefinement(const Lts& lts, std::span<const std::uint32_t> marked, Budget& budget, Ticker& ticker);

  void run();
  [[nodiscard]] std::size_t block_count() const { return counts_.size(); }
  Membership take_blocks() { return std::move(block_); }

 private:
  std::uint32_t intern();
  void charge();
  void collect_dirty();
  void add_predecessors(const Predecessors& into, std::size_t first);
  void compute_signatures();
  void split();
  void forget_old_sets();

  const Lts& lts_;
  Budget& budget_;
  Ticker& ticker_;
  Predecessors by_tau_;
  Predecessors by_visible_;
  Membership block_;
  Charged<std::uint32_t> reached_;  // per node: the set of blocks, as interned
  Charged<std::uint32_t> can_do_;   // per node: the set of (label, block), as interned
  Charged<std::uint32_t> counts_;   // per block
  Charged<std::pair<std::uint32_t, std::uint32_t>> signatures_;  // per block, of its nodes that are not dirty
  Charged<std::uint32_t> changed_;  // nodes that have moved to another block
  Charged<std::uint32_t> dirty_;
  Charged<std::uint8_t> is_dirty_;
  SequenceInterner sets_;
  std::vector<std::uint32_t> scratch_;
  std::vector<std::uint64_t> pairs_;
  std::uint64_t charged_ = 0;
  std::uint64_t kept_words_ = 0;  // after sets were last forgotten
  std::uint64_t words_ = 0;

 public:
  ~WeakRefinement() { budget_.release(charged_); }
  WeakRefinement(const WeakRefinement&) = delete;
  WeakRefinement& operator=(const WeakRefinement&) = delete;
};

}  // namespace fairlead
