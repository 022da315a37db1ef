#include "components.hpp"

#include <algorithm>

namespace fairlead {

// ---------------------------------------------------------------- fair parts

FairParts::FairParts(Product& product, Fairness fairness)
    : product_(product),
      fairness_(fairness),
      part_(product.graph().budget(), product.automaton().states, 0),
      order_(product.graph().budget(), product.automaton().states, 0),
      clauses_(fairness.clauses) {}

void FairParts::enter_part(const std::vector<NodeId>& nodes) {
  ++current_part_;
  for (const NodeId node : nodes) part_.at(node) = current_part_;
}

std::vector<NodeId> FairParts::find(std::vector<NodeId> nodes) {
  std::vector<std::vector<NodeId>> pending;
  pending.push_back(std::move(nodes));
  while (!pending.empty()) {
    std::vector<NodeId> part = std::move(pending.back());
    pending.pop_back();
    enter_part(part);
    switch (judge(part)) {
      case Judgement::kAccept:
        return part;
      case Judgement::kReject:
        break;
      case Judgement::kSplit:
        for (auto& smaller : split(part)) pending.push_back(std::move(smaller));
        break;
    }
  }
  return {};
}

// Asks for what judge() will need a few nodes later.
void FairParts::prefetch_ahead(const std::vector<NodeId>& nodes, std::size_t at) {
  Graph& graph = product_.graph();
  if (at + 12 < nodes.size()) graph.prefetch_edges(state_of(nodes[at + 12]));
  if (at + 8 < nodes.size()) __builtin_prefetch(graph.edges(state_of(nodes[at + 8])).targets);
  if (at + 4 >= nodes.size()) return;
  const NodeId near = nodes[at + 4];
  const EdgeSpan edges = graph.edges(state_of(near));
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    part_.prefetch(make_node(edges.targets[i], automaton_state_of(near)));
  }
  product_.prefetch(near);
}

FairParts::Judgement FairParts::judge(const std::vector<NodeId>& nodes) {
  Graph& graph = product_.graph();
  const Labels& labels = graph.labels();
  engaged_.clear();
  for (const std::uint32_t subject : enabled_) enabled_at_[subject] = 0;
  enabled_.clear();
  clauses_.clear();
  Marks marks = 0;
  bool has_step = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeId node = nodes[i];
    graph.ticker().tick();
    prefetch_ahead(nodes, i);
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(node, cursor, step)) {
      if (!inside(step.target)) continue;
      has_step = true;
      marks |= step.marks;
      for_each_subject(labels, fairness_.level, step.action, [&](std::uint32_t x) { engaged_.stamp(x); });
    }
    if (!clauses_.empty()) tally_clauses(node);
    if (fairness_.level == FairnessLevel::kNone) continue;
    seen_.clear();
    const EdgeSpan edges = graph.edges(state_of(node));
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      for_each_subject(labels, fairness_.level, edges.actions[k], [&](std::uint32_t x) {
        if (!seen_.stamp(x)) return;
        if (x >= enabled_at_.size()) enabled_at_.resize(x + 1, 0);
        if (enabled_at_[x]++ == 0) enabled_.push_back(x);
      });
    }
  }
  if (!has_step || marks != product_.automaton().all_marks()) return Judgement::kReject;
  if (fairness_.global && !is_closed(nodes)) return Judgement::kReject;
  const Judgement subjects = judge_subjects(nodes.size());
  const Judgement clauses = subjects == Judgement::kReject ? subjects : judge_clauses();
  return clauses == Judgement::kAccept ? subjects : clauses;
}

// Apart from the loop of judge(), which has no more to do than before where there are no clauses.
void FairParts::tally_clauses(NodeId node) {
  clauses_.visit(state_of(node));
  SuccessorCursor cursor;
  ProductStep step;
  while (product_.next(node, cursor, step)) {
    if (inside(step.target)) clauses_.engage(step.action);
  }
}

FairParts::Judgement FairParts::judge_clauses() {
  if (clauses_.empty()) return Judgement::kAccept;
  bool splits = false;
  for (std::uint32_t clause = 0; clause < fairness_.clauses->count(); ++clause) {
    if (!clauses_.is_broken(clause)) continue;
    // only a strong clause may be kept by a smaller part: one that leaves out the states where it is wanted
    if (fairness_.clauses->demand(clause) != Demand::kStrong) return Judgement::kReject;
    splits = true;
  }
  return splits ? Judgement::kSplit : Judgement::kAccept;
}

FairParts::Judgement FairParts::judge_subjects(std::size_t node_count) {
  starving_.clear();
  bool splits = false;
  for (const std::uint32_t subject : enabled_) {
    if (engaged_.has(subject)) continue;
    if (fairness_.strength == FairnessStrength::kWeak) {
      // Inf(not enabled) | Inf(engaged): if the part lacks both, so does every smaller one
      if (enabled_at_[subject] == node_count) return Judgement::kReject;
    } else {
      // Fin(enabled) | Inf(engaged): the states that enable it must go
      starving_.stamp(subject);
      splits = true;
    }
  }
  return splits ? Judgement::kSplit : Judgement::kAccept;
}

// Strong global fairness: every transition of every state that occurs is the projection of some step inside,
// not necessarily of one from each copy of the state.
bool FairParts::is_closed(std::vector<NodeId> nodes) {
  Graph& graph = product_.graph();
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return state_of(a) < state_of(b);
  });
  std::vector<std::uint8_t> covered;
  for (std::size_t first = 0; first < nodes.size();) {
    graph.ticker().tick();
    const StateId state = state_of(nodes[first]);
    const EdgeSpan edges = graph.edges(state);
    covered.assign(edges.count, 0);
    std::size_t last = first;
    for (; last < nodes.size() && state_of(nodes[last]) == state; ++last) {
      SuccessorCursor cursor;
      ProductStep step;
      while (product_.next(nodes[last], cursor, step)) {
        if (step.edge != kNone && inside(step.target)) covered[step.edge] = 1;
      }
    }
    if (std::find(covered.begin(), covered.end(), 0) != covered.end()) return false;
    first = last;
  }
  return true;
}

bool FairParts::enables_starving(NodeId node) {
  Graph& graph = product_.graph();
  const EdgeSpan edges = graph.edges(state_of(node));
  bool found = !clauses_.empty() && clauses_.wants_broken_strong(state_of(node));
  for (std::uint32_t i = 0; i < edges.count && !found; ++i) {
    for_each_subject(graph.labels(), fairness_.level, edges.actions[i],
                     [&](std::uint32_t x) { found = found || starving_.has(x); });
  }
  return found;
}

std::vector<std::vector<NodeId>> FairParts::components(const std::vector<NodeId>& nodes) {
  starving_.clear();
  clauses_.clear();
  return split(nodes);
}

std::vector<std::vector<NodeId>> FairParts::split(const std::vector<NodeId>& nodes) {
  // Tarjan's algorithm on what remains, in Pearce's form: one number per node. Removed nodes leave the part.
  std::vector<NodeId> remaining;
  for (const NodeId node : nodes) {
    if (!enables_starving(node)) remaining.push_back(node);
  }
  enter_part(remaining);
  for (const NodeId node : remaining) order_.at(node) = 0;

  struct Frame {
    NodeId node;
    SuccessorCursor cursor;
    bool is_root;
  };
  std::vector<std::vector<NodeId>> parts;
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
        if (!inside(step.target)) continue;
        if (order_.at(step.target) == 0) {
          order_.at(step.target) = index++;
          frames.push_back({step.target, {}, true});
        } else if (order_.at(step.target) < order_.at(frame.node)) {
          order_.at(frame.node) = order_.at(step.target);
          frame.is_root = false;
        }
        continue;
      }
      const NodeId node = frame.node;
      if (frame.is_root) {
        std::vector<NodeId> part{node};
        --index;
        while (!waiting.empty() && order_.at(node) <= order_.at(waiting.back())) {
          part.push_back(waiting.back());
          order_.at(waiting.back()) = finished;
          waiting.pop_back();
          --index;
        }
        order_.at(node) = finished--;
        parts.push_back(std::move(part));
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

// ---------------------------------------------------------------- the search

ComponentSearch::ComponentSearch(Product& product, Fairness fairness, bool early, bool complete)
    : product_(product),
      fair_(product, fairness),
      early_(early && !fairness.global),  // a closed part is a whole component
      from_everywhere_(complete && product.initial_waits()),
      numbers_(product.graph().budget(), product.automaton().states, 0),
      live_(product.graph().budget()) {}

// The next node to start from: the initial ones, then, where the automaton may wait in its first state for
// as long as it likes, the nodes it enters from there anywhere in the graph.
bool ComponentSearch::next_start(NodeId& start) {
  Graph& graph = product_.graph();
  if (!started_) {
    started_ = true;
    for (const NodeId node : product_.initial_nodes()) {
      const bool waits = automaton_state_of(node) == product_.automaton().initial;
      if (!from_everywhere_ || !waits) starts_.push_back(node);
    }
    std::reverse(starts_.begin(), starts_.end());
  }
  for (;;) {
    while (!starts_.empty()) {
      start = starts_.back();
      starts_.pop_back();
      if (numbers_.get(start) == 0) return true;
    }
    if (!from_everywhere_ || next_entered_from_ >= graph.state_count()) return false;
    graph.ticker().tick();
    // states of an explicit graph that were never reached are not expanded
    if (graph.is_expanded(next_entered_from_)) product_.entries_from(next_entered_from_, starts_);
    ++next_entered_from_;
  }
}

void ComponentSearch::push(NodeId node, Marks arriving) {
  numbers_.at(node) = ++counter_;
  ++node_count_;
  roots_.push_back(Root{counter_, 0, arriving, 0});
  live_.push_back(node);
  frames_.push_back(Frame{node, {}});
  // the successors will be looked at one after the other: ask for all of them now
  const EdgeSpan edges = product_.graph().edges(state_of(node));
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    numbers_.prefetch(make_node(edges.targets[i], automaton_state_of(node)));
    product_.graph().prefetch_edges(edges.targets[i]);
  }
  product_.prefetch(node);
}

void ComponentSearch::merge(std::uint32_t number, Marks marks) {
  std::uint32_t tried = 0;
  while (roots_.back().number > number) {
    marks |= roots_.back().marks | roots_.back().arriving;
    tried = std::max(tried, roots_.back().tried);
    roots_.pop_back();
  }
  roots_.back().marks |= marks;
  roots_.back().tried = std::max(tried, roots_.back().tried);
}

// An unfinished component is strongly connected already; it is offered each time it has grown fourfold, so
// that a bug is found before the whole component is known, at a cost that stays linear.
bool ComponentSearch::offer_unfinished() {
  Root& root = roots_.back();
  if (!early_ || root.marks != product_.automaton().all_marks()) return false;
  const std::uint32_t size = counter_ - root.number + 1;
  if (size < 4 * root.tried || size == root.tried) return false;
  root.tried = size;
  std::vector<NodeId> nodes;
  for (std::size_t i = root.number - 1; i < live_.size(); ++i) nodes.push_back(live_[i]);
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

bool ComponentSearch::finish(NodeId node) {
  if (roots_.back().number != numbers_.get(node)) return false;
  const Root root = roots_.back();
  roots_.pop_back();
  const std::size_t first = root.number - 1;
  std::vector<NodeId> nodes;
  const bool candidate = root.marks == product_.automaton().all_marks() &&
                         product_.automaton().may_accept[automaton_state_of(node)];
  for (std::size_t i = first; i < live_.size(); ++i) {
    if (candidate) nodes.push_back(live_[i]);
    numbers_.at(live_[i]) = kFinished;
  }
  counter_ = root.number - 1;
  live_.resize_uninitialised(first);
  if (!candidate) return false;
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

SearchStatus ComponentSearch::run(std::uint64_t steps) {
  for (;;) {
    if (frames_.empty()) {
      NodeId start = kNoNode;
      if (!next_start(start)) return SearchStatus::kNone;
      push(start, 0);
      continue;
    }
    if (steps-- == 0) return SearchStatus::kPaused;
    product_.graph().ticker().tick();
    Frame& frame = frames_.back();
    ProductStep step;
    if (product_.next(frame.node, frame.cursor, step)) {
      const std::uint32_t known = numbers_.get(step.target);
      if (known == 0) {
        push(step.target, step.marks);
      } else if (known != kFinished) {
        merge(known, step.marks);
        if (offer_unfinished()) return SearchStatus::kFound;
      }
      continue;
    }
    const NodeId node = frame.node;
    frames_.pop_back();
    if (finish(node)) return SearchStatus::kFound;
  }
}

}  // namespace fairlead
