// Trees of processes, interned: equal trees have the same number, however they came about.
//
// A tree is an operator over smaller trees. Everything of an operator that no step changes (which events are hidden, who
// continues after a sequence) is kept once, in its `Operator`. What a step leaves as it is keeps its number, so that the cost
// of a step depends on the path from the root to what moves.
#pragma once

#include <optional>
#include <unordered_map>

#include "memory/support.hpp"

namespace fairlead {

using TreeId = std::uint32_t;
using OperatorId = std::uint32_t;
// There are fewer trees than this, and fewer local states.
inline constexpr std::uint32_t kMostTrees = 0x40000000u;

enum class NodeKind : std::uint8_t {
  kLeaf,
  kParallel,
  kSequel,
  kChoice,
  kGuarded,
  kExternal,  // a choice that internal steps leave open
  kInterrupt,  // the body, then the handler
  kHidden,
  kAtomic,
  kHigh,  // some labels go before all other steps
  kLow,  // some labels go behind all other steps
};

// An operator with all that is fixed in it.
struct Operator {
  NodeKind kind;
  ProcessId process = kNone;  // of a leaf: who owns it; of a sequel: who continues
  LabelId ending = kNone;  // of a sequel: the label of the step that ends its first part
  std::uint32_t tag = kNone;  // what Python knows it by, where that is more than the rest
  bool synchronises = false;  // a parallel node with alphabets
  // of a parallel node: shared label -> children that have it; of a hidden node: the hidden labels; of one with
  // priorities: the labels that have them
  std::unordered_map<LabelId, std::vector<std::uint32_t>> events;
  // of a parallel node: the children whose end is the end of the whole; else termination is a joint step
  std::optional<std::vector<std::uint32_t>> ends;

  std::vector<std::uint8_t> has_event;  // by label; made from `events` when the operator is interned

  [[nodiscard]] bool has(LabelId label) const { return label < has_event.size() && has_event[label] != 0; }
  [[nodiscard]] bool has_priorities() const { return kind == NodeKind::kHigh || kind == NodeKind::kLow; }
  [[nodiscard]] bool is_interleaving() const { return kind == NodeKind::kParallel && !synchronises && !ends; }
};

// What is known of a tree as a whole.
struct TreeInfo {
  std::uint32_t leaf_count = 0;
  std::uint32_t node_count = 0;
  ProcessId owner = kNone;  // of the first leaf
  std::uint16_t depth = 0;
  // A configuration keeps the parts of such a tree apart: there is a composition in it whose parts run side by side. Any
  // other tree is kept as a whole, by its number.
  bool unfolds = false;
  bool counted = false;  // a leaf of it stands for counted processes
  bool has_error = false;  // a leaf of it is in ERROR
  bool has_atomic = false;

  // Adds what is known of a child; the first one first.
  void add(const TreeInfo& child);
};

// A node is its operator and its payload: the local state of a leaf; the first part of a sequel and the local state that
// follows; the body of a guarded tree and the local state of the guard; the children of any other.
class Trees {
 public:
  // The number of an operator.
  OperatorId intern_operator(Operator description);
  [[nodiscard]] const Operator& op(OperatorId id) const { return *operators_[id]; }
  [[nodiscard]] std::size_t operator_count() const { return operators_.size(); }
  OperatorId leaf_operator(ProcessId process);
  OperatorId plain_operator(NodeKind kind) { return intern_operator(Operator{kind}); }
  // Hides what either of two operators hides.
  OperatorId hiding_both(OperatorId one, OperatorId other);

  // The number of a tree, whose `info` is given.
  TreeId intern(OperatorId op, std::span<const std::uint32_t> payload, const TreeInfo& info);
  [[nodiscard]] std::size_t size() const { return infos_.size(); }
  [[nodiscard]] OperatorId operator_of(TreeId tree) const { return nodes_.get(tree)[0]; }
  // Good until another tree is interned.
  [[nodiscard]] std::span<const std::uint32_t> payload(TreeId tree) const { return nodes_.get(tree).subspan(1); }
  [[nodiscard]] const TreeInfo& info(TreeId tree) const { return infos_[tree]; }
  // How deep the deepest of them is.
  [[nodiscard]] std::size_t depth() const { return depth_; }
  void set_budget(Budget* budget) { budget_ = budget; }

  // How many of the numbers in the payload of a node are children; the rest is a local state.
  [[nodiscard]] static std::size_t child_count(NodeKind kind, std::size_t payload) {
    const bool has_local = kind == NodeKind::kLeaf || kind == NodeKind::kSequel || kind == NodeKind::kGuarded;
    return has_local ? payload - 1 : payload;
  }

 private:
  SequenceInterner operator_keys_;
  std::vector<std::unique_ptr<Operator>> operators_;
  std::vector<OperatorId> leaf_operators_;  // by process
  std::unordered_map<std::uint64_t, OperatorId> unions_;
  SequenceInterner nodes_;  // (operator, payload...)
  std::vector<TreeInfo> infos_;
  std::size_t depth_ = 0;
  Budget* budget_ = nullptr;
};

}  // namespace fairlead
