#include "components.hpp"

#include <algorithm>

namespace fairlead {

// ---------------------------------------------------------------- fair parts

FairParts::FairParts(Product& product, Fairness fairness)
    : product_(product),
      fairness_(fairness),
      part_(product.graph().budget()),
      order_(product.graph().budget()) {}

void FairParts::enter_part(const std::vector<NodeId>& nodes) {
  ++current_part_;
  if (part_.size() < product_.node_count()) part_.resize(product_.node_count(), 0);
  for (const NodeId node : nodes) part_[node] = current_part_;
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

FairParts::Judgement FairParts::judge(const std::vector<NodeId>& nodes) {
  Graph& graph = product_.graph();
  const Labels& labels = graph.labels();
  engaged_.clear();
  for (const std::uint32_t subject : enabled_) enabled_at_[subject] = 0;
  enabled_.clear();
  Marks marks = 0;
  bool has_step = false;
  StateId counted = kNone;
  for (const NodeId node : nodes) {
    graph.ticker().tick();
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(node, cursor, step)) {
      if (!inside(step.target)) continue;
      has_step = true;
      marks |= step.marks;
      for_each_subject(labels, fairness_.level, step.action, [&](std::uint32_t x) { engaged_.stamp(x); });
    }
    if (fairness_.level == FairnessLevel::kNone) continue;
    counted = product_.state_of(node);
    seen_.clear();
    const EdgeSpan edges = graph.edges(counted);
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      for_each_subject(labels, fairness_.level, edges.actions[i], [&](std::uint32_t x) {
        if (!seen_.stamp(x)) return;
        if (x >= enabled_at_.size()) enabled_at_.resize(x + 1, 0);
        if (enabled_at_[x]++ == 0) enabled_.push_back(x);
      });
    }
  }
  if (!has_step || marks != product_.automaton().all_marks()) return Judgement::kReject;
  if (fairness_.global && !is_closed(nodes)) return Judgement::kReject;
  return judge_subjects(nodes.size());
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
    return product_.state_of(a) < product_.state_of(b);
  });
  std::vector<std::uint8_t> covered;
  for (std::size_t first = 0; first < nodes.size();) {
    graph.ticker().tick();
    const StateId state = product_.state_of(nodes[first]);
    const EdgeSpan edges = graph.edges(state);
    covered.assign(edges.count, 0);
    std::size_t last = first;
    for (; last < nodes.size() && product_.state_of(nodes[last]) == state; ++last) {
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
  const EdgeSpan edges = graph.edges(product_.state_of(node));
  bool found = false;
  for (std::uint32_t i = 0; i < edges.count && !found; ++i) {
    for_each_subject(graph.labels(), fairness_.level, edges.actions[i],
                     [&](std::uint32_t x) { found = found || starving_.has(x); });
  }
  return found;
}

std::vector<std::vector<NodeId>> FairParts::split(const std::vector<NodeId>& nodes) {
  // Tarjan's algorithm on what remains, in Pearce's form: one number per node. Removed nodes leave the part.
  std::vector<NodeId> remaining;
  for (const NodeId node : nodes) {
    if (!enables_starving(node)) remaining.push_back(node);
  }
  enter_part(remaining);
  if (order_.size() < product_.node_count()) order_.resize(product_.node_count(), 0);
  for (const NodeId node : remaining) order_[node] = 0;

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
    if (order_[start] != 0) continue;
    order_[start] = index++;
    frames.push_back({start, {}, true});
    while (!frames.empty()) {
      product_.graph().ticker().tick();
      Frame& frame = frames.back();
      ProductStep step;
      if (product_.next(frame.node, frame.cursor, step)) {
        if (!inside(step.target)) continue;
        if (order_[step.target] == 0) {
          order_[step.target] = index++;
          frames.push_back({step.target, {}, true});
        } else if (order_[step.target] < order_[frame.node]) {
          order_[frame.node] = order_[step.target];
          frame.is_root = false;
        }
        continue;
      }
      const NodeId node = frame.node;
      if (frame.is_root) {
        std::vector<NodeId> part{node};
        --index;
        while (!waiting.empty() && order_[node] <= order_[waiting.back()]) {
          part.push_back(waiting.back());
          order_[waiting.back()] = finished;
          waiting.pop_back();
          --index;
        }
        order_[node] = finished--;
        parts.push_back(std::move(part));
      } else {
        waiting.push_back(node);
      }
      frames.pop_back();
      if (!frames.empty() && order_[node] < order_[frames.back().node]) {
        order_[frames.back().node] = order_[node];
        frames.back().is_root = false;
      }
    }
  }
  return parts;
}

// ---------------------------------------------------------------- the search

ComponentSearch::ComponentSearch(Product& product, Fairness fairness, bool early)
    : product_(product),
      fair_(product, fairness),
      early_(early && !fairness.global),  // a closed part is a whole component
      numbers_(product.graph().budget()),
      live_(product.graph().budget()) {}

void ComponentSearch::push(NodeId node, Marks arriving) {
  if (numbers_.size() <= node) numbers_.resize(product_.node_count(), 0);
  numbers_[node] = ++counter_;
  roots_.push_back(Root{counter_, 0, arriving, 0});
  live_.push_back(node);
  frames_.push_back(Frame{node, {}});
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

// An unfinished component is strongly connected already; it is offered each time it has doubled, so that a
// bug is found before the whole component is known, at a cost that stays linear.
bool ComponentSearch::offer_unfinished() {
  Root& root = roots_.back();
  if (!early_ || root.marks != product_.automaton().all_marks()) return false;
  const std::uint32_t size = counter_ - root.number + 1;
  if (size < 2 * root.tried || size == root.tried) return false;
  root.tried = size;
  std::vector<NodeId> nodes;
  for (std::size_t i = root.number - 1; i < live_.size(); ++i) nodes.push_back(live_[i]);
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

bool ComponentSearch::finish(NodeId node) {
  if (roots_.back().number != numbers_[node]) return false;
  const Root root = roots_.back();
  roots_.pop_back();
  const std::size_t first = root.number - 1;
  std::vector<NodeId> nodes;
  const bool candidate = root.marks == product_.automaton().all_marks() &&
                         product_.automaton().may_accept[product_.automaton_state_of(node)];
  for (std::size_t i = first; i < live_.size(); ++i) {
    if (candidate) nodes.push_back(live_[i]);
    numbers_[live_[i]] = kFinished;
  }
  counter_ = root.number - 1;
  live_.resize_uninitialised(first);
  if (!candidate) return false;
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

SearchStatus ComponentSearch::run(std::uint64_t steps) {
  const std::vector<NodeId>& initial = product_.initial_nodes();
  while (!frames_.empty() || next_initial_ < initial.size()) {
    if (frames_.empty()) {
      const NodeId start = initial[next_initial_++];
      if (number(start) == 0) push(start, 0);
      continue;
    }
    if (steps-- == 0) return SearchStatus::kPaused;
    product_.graph().ticker().tick();
    Frame& frame = frames_.back();
    ProductStep step;
    if (product_.next(frame.node, frame.cursor, step)) {
      const std::uint32_t known = number(step.target);
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
  return SearchStatus::kNone;
}

}  // namespace fairlead
