#include "explore/annotations.hpp"

#include <algorithm>

namespace fairlead {

Annotations::Annotations(Budget& budget) : budget_(budget), set_of_(budget) { sets_.intern({}); }

std::uint32_t Annotations::number(std::uint8_t kind, LabelId label) {
  const std::uint32_t key[] = {kind, label};
  const auto [number, is_new] = keys_.intern(key);
  if (is_new) all_.push_back({kind, label});
  return number;
}

void Annotations::set_ready(StateId state, std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const auto [set, is_new] = sets_.intern(numbers);
  if (is_new) {
    const std::uint64_t bytes = 32 + 4 * numbers.size();
    budget_.charge(bytes);
    charged_ += bytes;
  }
  if (state >= set_of_.size()) set_of_.resize(state + std::size_t{1}, 0);
  set_of_[state] = set;
}

namespace {

// The annotated edges that leaves of one configuration could take.
class ReadyEdges {
 public:
  ReadyEdges(Network& network, Annotations& annotations) : network_(network), annotations_(annotations) {}

  std::vector<std::uint32_t> of(Unpacked& state) {
    const Shape& shape = network_.shape(state.shape);
    scope_.shared = state.values.data();
    found_.clear();
    visit(shape, shape.nodes[0], state);
    return found_;
  }

 private:
  void visit(const Shape& shape, const ShapeNode& node, const Unpacked& state) {
    if (node.kind == NodeKind::kLeaf) {
      leaf(node, state.locals[node.slot]);
      return;
    }
    if (node.kind == NodeKind::kGuarded && !holds(state.locals[node.slot])) return;
    if (node.kind == NodeKind::kHidden) hiding_.push_back(&node);
    for (const std::uint32_t child : node.children) visit(shape, shape.nodes[child], state);
    if (node.kind == NodeKind::kHidden) hiding_.pop_back();
  }

  // What is hidden is no event any more that an annotation could speak of.
  [[nodiscard]] bool is_hidden(LabelId label) const {
    return std::any_of(hiding_.begin(), hiding_.end(),
                       [&](const ShapeNode* node) { return node->events.contains(label); });
  }

  bool holds(LocalId guard) {
    scope_.rounds = 0;
    scope_.parameters = network_.parameters(guard).data();
    return network_.evaluate(network_.condition(guard), scope_) != 0;
  }

  void leaf(const ShapeNode& node, LocalId number) {
    const LocalState local = network_.local(number);
    for (std::size_t i = 0; local.counted && i < network_.member_count(number); ++i) {
      leaf(node, network_.member(number, i).local);
    }
    scope_.parameters = local.parameters;
    for (const LocalEdge& edge : local.edge_span()) {
      if (edge.edge->annotation == kNotAnnotated) continue;
      scope_.rounds = 0;
      if (!network_.enabled(edge, scope_)) continue;
      const LabelId label = network_.label(edge, node.process, scope_);
      if (!is_hidden(label)) found_.push_back(annotations_.number(edge.edge->annotation, label));
    }
  }

  Network& network_;
  Scope scope_;
  Annotations& annotations_;
  std::vector<std::uint32_t> found_;
  std::vector<const ShapeNode*> hiding_;  // around the node that is visited
};

}  // namespace

void find_annotations(NetworkGraph& graph, Annotations& annotations) {
  ReadyEdges ready(graph.network(), annotations);
  const auto states = static_cast<StateId>(graph.state_count());
  for (StateId state = 0; state < states; ++state) {
    graph.ticker().tick();
    Unpacked unpacked = graph.unpack(state);
    annotations.set_ready(state, ready.of(unpacked));
  }
}

}  // namespace fairlead
