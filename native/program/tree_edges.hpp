// The edges of a tree in which nothing runs side by side: each is an edge of one of its leaves.
#pragma once

#include "program/network.hpp"

namespace fairlead {

// Where an edge of a tree comes from.
struct EdgeOrigin {
  std::uint32_t leaf;  // counted from the left
  LocalId local;       // the local state of that leaf
  ProcessId process;
  // the nodes (external choices, interrupts) that the edge leaves undecided: a run in TreeEdges::undecided
  std::uint32_t first_undecided = 0;
  std::uint32_t undecided_count = 0;
  bool is_atomic = false;
};

struct TreeEdges {
  // As those of a leaf, apart from what operators around it make of them: hidden events and ends of first parts are
  // internal. The target is that of the leaf.
  std::vector<LocalEdge> edges;
  std::vector<EdgeOrigin> origins;
  std::vector<std::uint32_t> undecided;

  [[nodiscard]] std::span<const std::uint32_t> undecided_by(std::uint32_t edge) const {
    return std::span(undecided).subspan(origins[edge].first_undecided, origins[edge].undecided_count);
  }
};

// Nothing if the steps of a tree are not just those of its leaves: it has compositions, guards, or events with labels that
// depend on variables and may be hidden.
std::unique_ptr<TreeEdges> find_tree_edges(Network& network, TreeId tree);

}  // namespace fairlead
