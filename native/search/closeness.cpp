#include "search/closeness.hpp"

#include <algorithm>

namespace fairlead {

std::uint32_t Closeness::add_comparison(ClosenessKind kind, CodeId left, CodeId right) {
  const auto first = static_cast<std::uint32_t>(codes_.size());
  codes_.push_back(left);
  if (kind != ClosenessKind::kTrue) codes_.push_back(right);
  nodes_.push_back(Node{kind, first, first + 1, {}});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t Closeness::add_junction(ClosenessKind kind, std::vector<std::uint32_t> parts) {
  for (const std::uint32_t part : parts) {
    if (part >= nodes_.size()) throw std::out_of_range("a part of a condition comes before the whole");
  }
  nodes_.push_back(Node{kind, 0, 0, std::move(parts)});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::int64_t Closeness::comparison(const Node& node) const {
  const std::optional<std::int32_t>& left = values_[node.left];
  if (!left) return kFar;
  if (node.kind == ClosenessKind::kTrue) return *left != 0 ? 0 : 1;
  const std::optional<std::int32_t>& right = values_[node.right];
  if (!right) return kFar;
  const std::int64_t difference = std::int64_t{*left} - *right;
  switch (node.kind) {
    case ClosenessKind::kEqual:
      return std::min(kFar, std::abs(difference));
    case ClosenessKind::kUnequal:
      return difference == 0 ? 1 : 0;
    case ClosenessKind::kLess:
      return std::clamp<std::int64_t>(difference + 1, 0, kFar);
    default:
      return std::clamp<std::int64_t>(difference, 0, kFar);
  }
}

std::uint32_t Closeness::distance(NetworkGraph& graph, StateId state) {
  graph.evaluate(state, codes_, values_);
  distances_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.kind == ClosenessKind::kAll) {
      distances_[i] = 0;
      for (const std::uint32_t part : node.parts) distances_[i] += distances_[part];
    } else if (node.kind == ClosenessKind::kAny) {
      distances_[i] = kFar;
      for (const std::uint32_t part : node.parts) distances_[i] = std::min(distances_[i], distances_[part]);
    } else {
      distances_[i] = comparison(node);
    }
  }
  return static_cast<std::uint32_t>(std::min<std::int64_t>(distances_.back(), kFarthest));
}

}  // namespace fairlead
