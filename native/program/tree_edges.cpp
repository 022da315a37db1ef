#include "program/tree_edges.hpp"

namespace fairlead {

namespace {

class EdgeFinder {
 public:
  EdgeFinder(Network& network, TreeEdges& found) : network_(network), found_(found) {}

  // Adds the edges of a tree; false if it is not suitable.
  bool visit(TreeId tree) {
    const Operator& op = network_.trees.op(network_.trees.operator_of(tree));
    const std::uint32_t number = node_++;
    std::size_t first = found_.edges.size();
    switch (op.kind) {
      case NodeKind::kLeaf:
        return add_leaf(network_.trees.payload(tree)[0], op.process);
      case NodeKind::kSequel:
        if (!visit_child(tree, 0)) return false;
        for (std::size_t i = first; i < found_.edges.size(); ++i) end_first_part(found_.edges[i], op);
        return true;
      case NodeKind::kHidden:
        if (!visit_child(tree, 0)) return false;
        for (std::size_t i = first; i < found_.edges.size(); ++i) {
          if (!hide(i, op)) return false;
        }
        return true;
      case NodeKind::kAtomic:
        if (!visit_child(tree, 0)) return false;
        for (std::size_t i = first; i < found_.edges.size(); ++i) found_.origins[i].is_atomic = true;
        return true;
      case NodeKind::kInterrupt:
        if (!visit_child(tree, 0)) return false;
        first = found_.edges.size();
        if (!visit_child(tree, 1)) return false;
        leave_undecided(first, number);
        return true;
      case NodeKind::kChoice:
      case NodeKind::kExternal:
        for (std::size_t i = 0; i < network_.trees.payload(tree).size(); ++i) {
          if (!visit_child(tree, i)) return false;
        }
        if (op.kind == NodeKind::kExternal) leave_undecided(first, number);
        return true;
      default:
        return false;
    }
  }

 private:
  bool visit_child(TreeId tree, std::size_t child) { return visit(network_.trees.payload(tree)[child]); }

  bool add_leaf(LocalId number, ProcessId process) {
    const LocalState local = network_.local(number);
    if (local.counted) return false;
    for (const LocalEdge& edge : local.edge_span()) {
      found_.edges.push_back(edge);
      found_.edges.back().owner = kNone;
      found_.origins.push_back({leaf_, number, process});
    }
    ++leaf_;
    return true;
  }

  static void end_first_part(LocalEdge& edge, const Operator& op) {
    if (edge.kind != MoveKind::kTermination) return;
    edge.kind = MoveKind::kInternal;
    edge.label = op.ending;
  }

  bool hide(std::size_t number, const Operator& op) {
    LocalEdge& edge = found_.edges[number];
    if (edge.kind >= MoveKind::kSend) return false;  // it has a label when it meets its other half
    if (edge.kind != MoveKind::kEvent) return true;
    if (edge.label == kNone) return false;
    if (!op.has(edge.label)) return true;
    edge.kind = MoveKind::kInternal;
    edge.label = network_.labels.hidden(edge.label, {&found_.origins[number].process, 1});
    return true;
  }

  // Internal steps leave a choice, or what a handler may interrupt, as it is.
  void leave_undecided(std::size_t first, std::uint32_t node) {
    for (std::size_t i = first; i < found_.edges.size(); ++i) {
      if (found_.edges[i].kind != MoveKind::kInternal) continue;
      EdgeOrigin& origin = found_.origins[i];
      const auto moved = static_cast<std::uint32_t>(found_.undecided.size());
      for (std::uint32_t k = 0; k < origin.undecided_count; ++k) {
        const std::uint32_t inner = found_.undecided[origin.first_undecided + k];
        found_.undecided.push_back(inner);
      }
      found_.undecided.push_back(node);
      origin.first_undecided = moved;
      ++origin.undecided_count;
    }
  }

  Network& network_;
  TreeEdges& found_;
  std::uint32_t leaf_ = 0;
  std::uint32_t node_ = 0;
};

}  // namespace

std::unique_ptr<TreeEdges> find_tree_edges(Network& network, TreeId tree) {
  auto found = std::make_unique<TreeEdges>();
  if (!EdgeFinder(network, *found).visit(tree)) return nullptr;
  return found;
}

}  // namespace fairlead
