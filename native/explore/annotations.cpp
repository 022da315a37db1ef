#include "explore/annotations.hpp"

#include <algorithm>

#include "program/tree_builder.hpp"

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
  ReadyEdges(Network& network, Annotations& annotations)
      : network_(network), annotations_(annotations), builder_(network) {}

  std::vector<std::uint32_t> of(Unpacked& state) {
    scope_.shared = state.values.data();
    found_.clear();
    builder_.clear();
    visit(builder_.load(network_.shape(state.shape), state.locals));
    return found_;
  }

 private:
  void visit(TreeBuilder::Ref tree) {
    const Operator& op = builder_.op(tree);
    if (op.kind == NodeKind::kLeaf) {
      leaf(op.process, builder_.local(tree));
      return;
    }
    if (op.kind == NodeKind::kGuarded && !holds(builder_.local(tree))) return;
    if (op.kind == NodeKind::kHidden) hiding_.push_back(&op);
    for (std::size_t i = 0; i < builder_.child_count(tree); ++i) visit(builder_.child(tree, i));
    if (op.kind == NodeKind::kHidden) hiding_.pop_back();
  }

  // Annotations do not concern hidden events.
  [[nodiscard]] bool is_hidden(LabelId label) const {
    return std::ranges::any_of(hiding_, [&](const Operator* op) { return op->has(label); });
  }

  bool holds(LocalId guard) {
    scope_.rounds = 0;
    scope_.parameters = network_.parameters(guard).data();
    return network_.evaluate(network_.condition(guard), scope_) != 0;
  }

  void leaf(ProcessId process, LocalId number) {
    const LocalState local = network_.local(number);
    for (std::size_t i = 0; local.counted && i < network_.member_count(number); ++i) {
      leaf(process, network_.member(number, i).local);
    }
    scope_.parameters = local.parameters;
    for (const LocalEdge& edge : local.edge_span()) {
      if (edge.edge->annotation == kNotAnnotated) continue;
      scope_.rounds = 0;
      if (!network_.enabled(edge, scope_)) continue;
      const LabelId label = network_.label(edge, process, scope_);
      if (!is_hidden(label)) found_.push_back(annotations_.number(edge.edge->annotation, label));
    }
  }

  Network& network_;
  Scope scope_;
  Annotations& annotations_;
  std::vector<std::uint32_t> found_;
  TreeBuilder builder_;
  std::vector<const Operator*> hiding_;  // around the node that is visited
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
