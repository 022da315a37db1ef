// What becomes of a tree by a step.
#pragma once

#include "program/network.hpp"

namespace fairlead {

// A part of a step: a leaf, counted from the left, moves to a local state. (In a flat shape whose slots hold leaves, that is
// the slot.)
struct MovePart {
  std::uint32_t leaf;
  LocalId target;
};

// A step as it changes a tree. Leaves and nodes are counted in the whole tree, nodes before their children.
struct TreeStep {
  std::span<const MovePart> parts;
  std::span<const std::uint32_t> undecided;  // external choices and interrupts that the step leaves as they are
  std::span<const std::int32_t> values;      // after the step

  // Whether one of the leaves from `first` on moves.
  [[nodiscard]] bool touches(std::uint32_t first, std::uint32_t count) const;
};

// Builds trees. Those that are kept as a whole are interned; the nodes around them, which hardly come again, are kept here
// until clear(). Each thread has its own one.
//
// The slots of a configuration can be left open. Then what is made of the tree holds for whatever is in them, except that
// some of them had to be examined: looked_at(). (What is used without a look is how many leaves and nodes there are, which
// are only counted to find those that move, and how deep they are; and that nothing in an open slot has terminated.)
class TreeBuilder {
 public:
  // A tree: the number of an interned one, or of a node that is kept here, or of an open slot.
  using Ref = std::uint32_t;

  explicit TreeBuilder(Network& network) : network_(network) {}

  void clear() {
    nodes_.clear();
    payloads_.clear();
    stack_.clear();
  }

  [[nodiscard]] OperatorId operator_of(Ref tree) const {
    return is_own(tree) ? own(tree).op : network_.trees.operator_of(closed(tree));
  }
  [[nodiscard]] const Operator& op(Ref tree) const { return network_.trees.op(operator_of(tree)); }
  [[nodiscard]] const TreeInfo& info(Ref tree) const {
    if (is_open(tree)) return open_[slot_of(tree)].info;
    return is_own(tree) ? own(tree).info : network_.trees.info(tree);
  }
  [[nodiscard]] std::size_t child_count(Ref tree) const {
    return Trees::child_count(op(tree).kind, payload(tree).size());
  }
  [[nodiscard]] Ref child(Ref tree, std::size_t number) const { return payload(tree)[number]; }
  // Of a leaf, a sequel or a guarded tree.
  [[nodiscard]] bool has_local(Ref tree) const { return child_count(tree) < payload(tree).size(); }
  [[nodiscard]] LocalId local(Ref tree) const { return closed_local(payload(tree).back()); }

  Ref leaf(LocalId local, ProcessId process);
  // What is in a slot: a leaf of its owner, or a tree.
  Ref in_slot(LocalId content, ProcessId owner);
  // The other way round, of a tree that does not unfold.
  LocalId folded(Ref tree);
  // The whole tree of a configuration.
  Ref load(const Shape& shape, std::span<const LocalId> locals);
  // The same with all slots open that are not `moving`; `locals` must stay as they are until the tree is unfolded.
  Ref load_open(const Shape& shape, std::span<const LocalId> locals, std::span<const std::uint32_t> moving);
  // The open slots that were examined since, ascending and each once.
  [[nodiscard]] std::span<const std::uint32_t> looked_at();
  // The shape and the slots of a tree.
  void unfold(Ref tree, Unpacked& state);
  // For each slot of the tree last unfolded: the open slot that it is, or kNone.
  [[nodiscard]] std::span<const std::uint32_t> origins() const { return origins_; }

  // A process that continues in a local state.
  Ref enter(LocalId local, ProcessId process, std::span<const std::int32_t> values) {
    if (!network_.is_composite(local)) return leaf(local, process);
    const TreeId composed = network_.compose(local, process, values, is_quiet_);
    has_read_ = has_read_ || network_.composition_reads(local, process);
    return composed;
  }
  // Whether a composition since the last call of this depends on variables.
  bool has_read() { return std::exchange(has_read_, false); }
  // While set, compositions that go wrong raise CompositionFault and are not reported.
  void set_quiet(bool quiet) { is_quiet_ = quiet; }
  // What becomes of a tree whose first leaf and root have the given numbers in the whole.
  Ref rewrite(Ref tree, const TreeStep& step, std::uint32_t first_leaf = 0, std::uint32_t number = 0);
  // All that is left of a tree if a leaf of it is in ERROR: the first such leaf.
  [[nodiscard]] Ref with_errors_collapsed(Ref tree) const;
  // A node over interned trees, interned itself.
  TreeId intern(OperatorId op, std::span<const std::uint32_t> payload) {
    return network_.trees.intern(op, payload, info_of(op, payload));
  }
  // A node over some parts, and the local state of a sequel or guard; interned if it is kept as a whole.
  Ref make(OperatorId op, std::span<const std::uint32_t> payload);

 private:
  struct Node {
    OperatorId op;
    std::uint32_t first;  // of its payload
    std::uint32_t count;
    TreeInfo info;
  };
  // A slot that was left open, with what is in it.
  struct OpenSlot {
    Ref tree = kNone;  // of one that only waits: none
    LocalId local = kNone;
    TreeInfo info;
  };
  // Numbers of trees and of local states are below both.
  static constexpr Ref kOwn = 0x80000000u;
  static constexpr Ref kOpen = kMostTrees;

  [[nodiscard]] static bool is_own(Ref tree) { return (tree & kOwn) != 0; }
  [[nodiscard]] static bool is_open(Ref tree) { return (tree & (kOwn | kOpen)) == kOpen; }
  [[nodiscard]] static bool is_interned(Ref tree) { return (tree & (kOwn | kOpen)) == 0; }
  [[nodiscard]] static std::uint32_t slot_of(Ref tree) { return tree & ~kOpen; }
  [[nodiscard]] const Node& own(Ref tree) const { return nodes_[tree & ~kOwn]; }
  // What is in a slot, if it is an open one: that is to look at it.
  [[nodiscard]] Ref closed(Ref tree) const {
    if (!is_open(tree)) return tree;
    looked_at_.push_back(slot_of(tree));
    return open_[slot_of(tree)].tree;
  }
  [[nodiscard]] LocalId closed_local(LocalId local) const {
    if (!is_open(local)) return local;
    looked_at_.push_back(slot_of(local));
    return open_[slot_of(local)].local;
  }
  // Good until another node is made.
  [[nodiscard]] std::span<const std::uint32_t> payload(Ref tree) const {
    if (!is_own(tree)) return network_.trees.payload(closed(tree));
    return std::span(payloads_).subspan(own(tree).first, own(tree).count);
  }
  [[nodiscard]] bool is_leaf_in(Ref tree, LocalId local) const {
    if (is_open(tree) && local == kTerminatedLocal) return false;
    return op(tree).kind == NodeKind::kLeaf && this->local(tree) == local;
  }
  [[nodiscard]] bool is_trivial(Ref tree) const {
    return op(tree).kind == NodeKind::kLeaf && this->local(tree) <= kTerminatedLocal;
  }
  [[nodiscard]] TreeInfo info_of(OperatorId op, std::span<const std::uint32_t> payload) const;
  Ref interned(Ref tree);
  Ref intern_parts(OperatorId op, std::span<const std::uint32_t> payload, const TreeInfo& info);
  Ref make_from_stack(OperatorId op, std::size_t first);
  Ref hidden(Ref body, OperatorId events);
  Ref rewrite_parallel(Ref tree, const TreeStep& step, std::uint32_t first_leaf, std::uint32_t number);
  Ref rewrite_choice(Ref tree, const TreeStep& step, std::uint32_t first_leaf, std::uint32_t number);
  Ref rewrite_interrupt(Ref tree, const TreeStep& step, std::uint32_t first_leaf, std::uint32_t number);
  void push_part(Ref part, bool interleaves);
  Ref load_node(const Shape& shape, std::uint32_t number, std::span<const LocalId> locals);
  void unfold_node(Ref tree, Unpacked& state);

  Network& network_;
  bool is_quiet_ = false;
  bool has_read_ = false;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> payloads_;
  std::vector<std::uint32_t> stack_;  // payloads of nodes that are being made
  std::vector<std::uint32_t> key_;    // of a shape
  std::vector<OpenSlot> open_;        // by slot, while some are open
  mutable std::vector<std::uint32_t> looked_at_;
  std::vector<std::uint32_t> origins_;
};

}  // namespace fairlead
