// Configurations as Python has them: values of variables with the number, or the nodes, of a tree.
#pragma once

#include <vector>

#include "program/tree_builder.hpp"

namespace fairlead {

inline Unpacked unfolded(Network& network, const std::vector<std::int32_t>& values, TreeId tree) {
  Unpacked state{0, values, {}};
  TreeBuilder(network).unfold(tree, state);
  return state;
}

inline void list_nodes(const TreeBuilder& builder, TreeBuilder::Ref tree, std::vector<std::uint32_t>& nodes) {
  const std::size_t children = builder.child_count(tree);
  nodes.insert(nodes.end(), {builder.operator_of(tree), static_cast<std::uint32_t>(children),
                             builder.has_local(tree) ? builder.local(tree) : kNone});
  for (std::size_t i = 0; i < children; ++i) list_nodes(builder, builder.child(tree, i), nodes);
}

// The tree of a configuration: for each node its operator, how many children it has, and its local state.
inline std::vector<std::uint32_t> tree_nodes(Network& network, const Unpacked& state) {
  TreeBuilder builder(network);
  std::vector<std::uint32_t> nodes;
  list_nodes(builder, builder.load(network.shape(state.shape), state.locals), nodes);
  return nodes;
}

}  // namespace fairlead
