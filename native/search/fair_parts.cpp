#include "search/fair_parts.hpp"

#include <algorithm>

namespace fairlead {

FairParts::FairParts(Product& product, Fairness fairness)
    : product_(product),
      fairness_(std::move(fairness)),
      part_(product.graph().budget(), product.automaton().states, 0),
      order_(product.graph().budget(), product.automaton().states, 0) {
  for (const Demand& demand : fairness_.demands) starvations_.emplace_back(demand);
}

void FairParts::enter_part(const std::vector<NodeId>& nodes, std::shared_ptr<ExcludedMarks> excluded) {
  ++current_part_;
  for (const NodeId node : nodes) part_.at(node) = current_part_;
  excluded_ = std::move(excluded);
}

FairPart FairParts::find(std::vector<NodeId> nodes) {
  const ConditionId condition = fairness_.condition == nullptr ? kTrueCondition : fairness_.condition->root;
  std::vector<Task> pending;
  pending.push_back({std::move(nodes), nullptr, condition});
  while (!pending.empty()) {
    product_.graph().ticker().tick();
    Task task = std::move(pending.back());
    pending.pop_back();
    if (try_part(task, pending)) return {std::move(task.nodes), task.excluded, task.condition, marks_};
  }
  return {};
}

bool FairParts::try_part(Task& task, std::vector<Task>& pending) {
  enter_part(task.nodes, task.excluded);
  const Judgement judgement = judge(task.nodes);
  if (judgement == Judgement::kReject) return false;
  const Conditions::Decision decision = decide(task);
  task.condition = decision.condition;
  const bool starves = judgement == Judgement::kSplit;
  using Which = Conditions::Decision::Kind;
  switch (decision.kind) {
    case Which::kReject:
      return false;
    case Which::kAccept:
      if (!starves) return true;
      split_off(task, {}, task.condition, pending);
      return false;
    case Which::kRemove:
      split_off(task, decision.marks, task.condition, pending);
      return false;
    case Which::kBranch:
    case Which::kEither:
      if (starves) {  // what must be avoided anyway goes first
        split_off(task, {}, task.condition, pending);
        return false;
      }
      // the last one is tried first
      for (const ConditionId other : decision.others) pending.push_back({task.nodes, task.excluded, other});
      if (decision.kind == Which::kBranch) split_off(task, decision.marks, task.condition, pending);
      return false;
  }
  return false;
}

Conditions::Decision FairParts::decide(const Task& task) {
  if (task.condition == kTrueCondition) return {};
  return fairness_.condition->conditions.decide(task.condition, marks_);
}

// The parts that remain without what starves and without the steps with certain marks.
void FairParts::split_off(const Task& task, std::span<const MarkId> avoided, ConditionId condition,
                          std::vector<Task>& pending) {
  if (!avoided.empty()) {
    SystemMarks& marks = fairness_.condition->marks;
    MarkWords words(marks.word_count(), 0);
    if (task.excluded != nullptr) words = task.excluded->words();
    for (const MarkId mark : avoided) add_mark(words, mark);
    excluded_ = std::make_shared<ExcludedMarks>(marks, std::move(words));
  }
  const std::shared_ptr<ExcludedMarks> excluded = excluded_;
  const NodeSets parts = split(task.nodes);
  for (std::size_t i = 0; i < parts.count(); ++i) {
    if (is_trivial(parts[i])) continue;
    pending.push_back({{parts[i].begin(), parts[i].end()}, excluded, condition});
  }
}

bool FairParts::is_trivial(std::span<const NodeId> part) {
  if (part.size() > 1) return false;
  SuccessorCursor cursor;
  ProductStep step;
  while (product_.next(part[0], cursor, step)) {
    if (step.target == part[0]) return false;
  }
  return true;
}

// Asks for what judge() will need a few nodes later; if `steps` are examined, for where they lead as well.
void FairParts::prefetch_ahead(const std::vector<NodeId>& nodes, std::size_t at, bool steps) {
  Graph& graph = product_.graph();
  const auto state_at = [&](std::size_t place) { return state_of(nodes[place]); };
  graph.prefetch_ahead(at, nodes.size(), state_at, [&](std::size_t place) {
    if (!steps) return;
    const NodeId near = nodes[place];
    const EdgeSpan edges = graph.kept_edges(state_of(near));
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      part_.prefetch(make_node(edges.targets[i], automaton_state_of(near)));
    }
    product_.prefetch(near);
  });
}

// Asks for what a depth-first search will need that has come to a node.
void FairParts::prefetch_successors(NodeId node) {
  Graph& graph = product_.graph();
  const EdgeSpan edges = product_.edges(node);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    const NodeId target = make_node(edges.targets[i], automaton_state_of(node));
    part_.prefetch(target);
    order_.prefetch(target);
    graph.prefetch_edges(edges.targets[i]);
  }
  product_.prefetch(node);
}

FairParts::Judgement FairParts::judge(const std::vector<NodeId>& nodes) {
  for (Starvation& starvation : starvations_) starvation.clear();
  const bool has_marks = fairness_.condition == nullptr ? see_steps(nodes) : see_all_steps(nodes);
  if (!has_marks) return Judgement::kReject;
  if (fairness_.global && !is_closed(nodes)) return Judgement::kReject;
  // weak is Inf(not enabled) | Inf(engaged): if the part lacks both, so does every smaller one;
  // strong is Fin(enabled) | Inf(engaged): the states that enable it must go
  Judgement judgement = Judgement::kAccept;
  for (const Starvation& starvation : starvations_) {
    if (!starvation.any()) continue;
    if (!starvation.is_strong()) return Judgement::kReject;
    judgement = Judgement::kSplit;
  }
  return judgement;
}

bool FairParts::see_steps(const std::vector<NodeId>& nodes) {
  Graph& graph = product_.graph();
  const Marks needed = product_.automaton().all_marks();
  Marks marks = 0;
  bool has_step = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool has_marks = has_step && marks == needed;
    if (has_marks && nobody_can_starve()) return true;
    graph.ticker().tick();
    prefetch_ahead(nodes, i, !has_marks);
    SuccessorCursor cursor;
    ProductStep step;
    while (!(has_step && marks == needed) && product_.next(nodes[i], cursor, step)) {
      if (!inside(step)) continue;
      has_step = true;
      marks |= step.marks;
    }
    show(nodes[i]);
  }
  return has_step && marks == needed;
}

bool FairParts::nobody_can_starve() const {
  return std::ranges::all_of(starvations_, [](const Starvation& starvation) { return starvation.is_excluded(); });
}

void FairParts::show(NodeId node, Starvation& starvation) {
  if (starvation.is_excluded()) return;
  const EdgeSpan edges = product_.edges(node);
  starvation.show(product_.graph().labels(), {edges.actions, edges.count}, [&](std::size_t edge) {
    SuccessorCursor cursor{static_cast<std::uint32_t>(edge), 0};
    ProductStep step;
    while (product_.next(node, cursor, step) && step.edge == edge) {
      if (inside(step)) return true;
    }
    return false;
  });
}

bool FairParts::see_all_steps(const std::vector<NodeId>& nodes) {
  Graph& graph = product_.graph();
  SystemMarks& system_marks = fairness_.condition->marks;
  pieces_.clear();
  marks_.assign(system_marks.word_count(), 0);
  const auto see = [&](PieceId piece) {
    if (!pieces_.stamp(piece)) return;
    const auto found = system_marks.marks(piece);
    for (std::size_t k = 0; k < found.size(); ++k) marks_[k] |= found[k];
  };
  Marks marks = 0;
  bool has_step = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    graph.ticker().tick();
    prefetch_ahead(nodes, i, true);
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(nodes[i], cursor, step)) {
      if (!inside(step)) continue;
      has_step = true;
      marks |= step.marks;
      system_marks.for_step_pieces(state_of(step.target), step.action, see);
    }
    system_marks.for_state_piece(state_of(nodes[i]), see);
    show(nodes[i]);
  }
  return has_step && marks == product_.automaton().all_marks();
}

// Strong global fairness: every transition of every state that occurs is the projection of some step inside,
// not necessarily of one from each copy of the state.
bool FairParts::is_closed(std::vector<NodeId> nodes) {
  Graph& graph = product_.graph();
  const auto layer = [](NodeId node) { return automaton_state_of(node); };
  const bool one_layer = std::ranges::adjacent_find(nodes, std::ranges::not_equal_to{}, layer) == nodes.end();
  if (!one_layer) std::ranges::sort(nodes, {}, state_of);  // the copies of a state side by side
  std::vector<std::uint8_t> covered;
  for (std::size_t first = 0; first < nodes.size();) {
    graph.ticker().tick();
    const StateId state = state_of(nodes[first]);
    covered.assign(product_.edges(nodes[first]).count, 0);
    std::size_t last = first;
    for (; last < nodes.size() && state_of(nodes[last]) == state; ++last) {
      SuccessorCursor cursor;
      ProductStep step;
      while (product_.next(nodes[last], cursor, step)) {
        if (step.edge != kNone && inside(step)) covered[step.edge] = 1;
      }
    }
    if (std::find(covered.begin(), covered.end(), 0) != covered.end()) return false;
    first = last;
  }
  return true;
}

bool FairParts::enables_starving(NodeId node) {
  Graph& graph = product_.graph();
  const EdgeSpan edges = product_.edges(node);
  bool found = false;
  for (const Starvation& starvation : starvations_) {
    if (!starvation.any()) continue;
    for (std::uint32_t i = 0; i < edges.count && !found; ++i) {
      for_each_subject(graph.labels(), starvation.demand().level, edges.actions[i],
                       [&](std::uint32_t x) { found = found || starvation.starves(x); });
    }
  }
  return found;
}

std::vector<std::uint32_t> FairParts::starving(const FairPart& part, const Demand& demand) {
  enter_part(part.nodes, part.excluded);
  Starvation starvation(demand);
  for (std::size_t i = 0; i < part.nodes.size() && !starvation.is_excluded(); ++i) {
    product_.graph().ticker().tick();
    prefetch_ahead(part.nodes, i, true);
    show(part.nodes[i], starvation);
  }
  return starvation.starving();
}

NodeSets FairParts::components(std::vector<NodeId> nodes) {
  for (Starvation& starvation : starvations_) starvation.clear();
  excluded_ = nullptr;
  return split(std::move(nodes));
}

NodeSets FairParts::split(std::vector<NodeId> remaining) {
  // Tarjan's algorithm on what remains, in Pearce's form: one number per node. Removed nodes leave the part.
  std::erase_if(remaining, [&](NodeId node) { return enables_starving(node); });
  enter_part(remaining, excluded_);
  for (const NodeId node : remaining) order_.at(node) = 0;

  struct Frame {
    NodeId node;
    SuccessorCursor cursor;
    bool is_root;
  };
  NodeSets parts;
  std::vector<Frame> frames;
  std::vector<NodeId> waiting;
  std::uint32_t index = 1;
  std::uint32_t finished = kNone - 1;
  for (const NodeId start : remaining) {
    if (order_.at(start) != 0) continue;
    order_.at(start) = index++;
    frames.push_back({start, {}, true});
    while (!frames.empty()) {
      product_.graph().ticker().tick();
      Frame& frame = frames.back();
      ProductStep step;
      if (product_.next(frame.node, frame.cursor, step)) {
        if (!inside(step)) continue;
        if (order_.at(step.target) == 0) {
          order_.at(step.target) = index++;
          frames.push_back({step.target, {}, true});
          prefetch_successors(step.target);
        } else if (order_.at(step.target) < order_.at(frame.node)) {
          order_.at(frame.node) = order_.at(step.target);
          frame.is_root = false;
        }
        continue;
      }
      const NodeId node = frame.node;
      if (frame.is_root) {
        parts.add(node);
        --index;
        while (!waiting.empty() && order_.at(node) <= order_.at(waiting.back())) {
          parts.add(waiting.back());
          order_.at(waiting.back()) = finished;
          waiting.pop_back();
          --index;
        }
        order_.at(node) = finished--;
        parts.finish();
      } else {
        waiting.push_back(node);
      }
      frames.pop_back();
      if (!frames.empty() && order_.at(node) < order_.at(frames.back().node)) {
        order_.at(frames.back().node) = order_.at(node);
        frames.back().is_root = false;
      }
    }
  }
  return parts;
}

}  // namespace fairlead
