// How far a state is from satisfying a condition, by its comparisons: a guide for dives.
#pragma once

#include "explore/graph.hpp"

namespace fairlead {

// What a condition consists of. All parts of kAll add up, the nearest part of kAny counts; a comparison is as far from
// being true as its values are apart.
enum class ClosenessKind : std::uint8_t { kAll, kAny, kEqual, kUnequal, kLess, kLessEqual, kTrue };

// A condition as a tree of comparisons, described from the leaves to the root: the node that is added last is the whole.
class Closeness {
 public:
  // Nothing is farther away than this.
  static constexpr std::uint32_t kFarthest = 4095;

  // A comparison of two expressions, or of one (kTrue: whether it is true); the number of the node.
  std::uint32_t add_comparison(ClosenessKind kind, CodeId left, CodeId right);
  // All or any of some nodes.
  std::uint32_t add_junction(ClosenessKind kind, std::vector<std::uint32_t> parts);

  // 0 if the condition holds. Values that cannot be computed are far from everything.
  std::uint32_t distance(NetworkGraph& graph, StateId state);

 private:
  // A comparison counts no more than this, so that one of many does not outweigh all others.
  static constexpr std::int64_t kFar = 255;

  struct Node {
    ClosenessKind kind;
    std::uint32_t left;   // where the value of the operand stands
    std::uint32_t right;
    std::vector<std::uint32_t> parts;
  };

  [[nodiscard]] std::int64_t comparison(const Node& node) const;

  std::vector<Node> nodes_;
  std::vector<CodeId> codes_;                         // of all operands
  std::vector<std::optional<std::int32_t>> values_;   // of all operands, in the state that is examined
  std::vector<std::int64_t> distances_;               // of all nodes
};

}  // namespace fairlead
