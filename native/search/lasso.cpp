#include "search/lasso.hpp"

#include <algorithm>

namespace fairlead {

namespace {
constexpr std::size_t kEntriesTried = 12;
constexpr std::size_t kSmallPart = 20'000;
}  // namespace

// What a walk has to do to be fair by one demand.
struct LassoBuilder::Debts {
  explicit Debts(const Demand& demand) : demand(demand) {}

  const Demand& demand;
  Stamps engaged;
  std::vector<std::uint32_t> required;  // weak: enabled at every node so far; strong: enabled at some node
  Stamps required_set;
  bool first_node = true;
  Stamps here;

  [[nodiscard]] bool is_weak() const { return demand.strength == FairnessStrength::kWeak; }
  template <typename Visit>
  void for_each_concerned(const Labels& labels, ActionId action, Visit&& visit) const {
    for_each_subject(labels, demand.level, action, [&](std::uint32_t x) {
      if (demand.concerns(x)) visit(x);
    });
  }

  void enter(const Labels& labels, const EdgeSpan& edges) {
    here.clear();
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      for_each_concerned(labels, edges.actions[i], [&](std::uint32_t x) {
        if (here.stamp(x) && (!is_weak() || first_node) && required_set.stamp(x)) required.push_back(x);
      });
    }
    if (is_weak() && !first_node) std::erase_if(required, [&](std::uint32_t x) { return !here.has(x); });
    first_node = false;
  }
  void take(const Labels& labels, ActionId action) {
    for_each_concerned(labels, action, [&](std::uint32_t x) { engaged.stamp(x); });
  }

  [[nodiscard]] bool is_starved(std::uint32_t x) const { return !engaged.has(x); }
  [[nodiscard]] bool are_paid() const {
    return std::none_of(required.begin(), required.end(), [&](std::uint32_t x) { return is_starved(x); });
  }

  // Whether a step with this action, to a state with these transitions, pays one of them.
  bool are_less_after(const Labels& labels, ActionId action, const EdgeSpan& edges) {
    bool helps = false;
    for_each_concerned(labels, action, [&](std::uint32_t x) {
      helps = helps || (is_starved(x) && std::find(required.begin(), required.end(), x) != required.end());
    });
    if (helps || !is_weak()) return helps;
    here.clear();
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      for_each_concerned(labels, edges.actions[i], [&](std::uint32_t x) { here.stamp(x); });
    }
    return std::any_of(required.begin(), required.end(),
                       [&](std::uint32_t x) { return is_starved(x) && !here.has(x); });
  }
};

// What a walk through the part has seen, and what its loop still lacks.
struct LassoBuilder::Walk {
  Walk(Product& product, const Fairness& fairness, const FairPart& part, const MarkWords& needed)
      : product(product),
        fairness(fairness),
        part(part),
        needed(needed),
        missing_marks(product.automaton().all_marks()),
        shown(needed.size(), 0) {
    for (const Demand& demand : fairness.demands) debts.emplace_back(demand);
  }

  Product& product;
  const Fairness& fairness;
  const FairPart& part;
  const MarkWords& needed;
  std::vector<RunStep> steps;
  Marks missing_marks;
  MarkWords shown;  // of the condition
  std::vector<Debts> debts;  // one for each demand
  std::unordered_map<StateId, std::vector<std::uint8_t>> taken;  // global: transitions taken, per state
  std::size_t untaken = 0;
  EdgeBuffer buffer;

  void enter(NodeId node) {
    Graph& graph = product.graph();
    const StateId state = state_of(node);
    const EdgeSpan edges = graph.edges(state, buffer);
    if (fairness.global && !taken.contains(state)) {
      taken.emplace(state, std::vector<std::uint8_t>(edges.count, 0));
      untaken += edges.count;
    }
    for (Debts& owed : debts) owed.enter(graph.labels(), edges);
  }

  void take(NodeId from, const ProductStep& step) {
    steps.push_back({step.action, state_of(step.target)});
    missing_marks &= ~step.marks;
    for (Debts& owed : debts) owed.take(product.graph().labels(), step.action);
    for_each_mark_word(step, [&](std::size_t i, std::uint64_t word) { shown[i] |= word; });
    if (fairness.global && step.edge != kNone) {
      std::uint8_t& flag = taken.at(state_of(from))[step.edge];
      if (flag == 0) {
        flag = 1;
        --untaken;
      }
    }
    enter(step.target);
  }

  // Calls `visit(i, word)` for the words of the condition's marks on a step.
  template <typename Visit>
  void for_each_mark_word(const ProductStep& step, Visit&& visit) const {
    if (shown.empty()) return;
    SystemMarks& marks = fairness.condition->marks;
    marks.for_each_piece(state_of(step.target), step.action, [&](PieceId piece) {
      const auto words = marks.marks(piece);
      for (std::size_t i = 0; i < words.size(); ++i) visit(i, words[i]);
    });
  }
  [[nodiscard]] bool meets_condition() const {
    return shown.empty() || fairness.condition->conditions.accepts(part.condition, shown);
  }

  [[nodiscard]] bool satisfied() const {
    return missing_marks == 0 && untaken == 0 && meets_condition() &&
           std::ranges::all_of(debts, [](const Debts& owed) { return owed.are_paid(); });
  }

  // Whether a step brings the walk nearer to being accepting and fair.
  bool helps(NodeId from, const ProductStep& step) {
    if ((step.marks & missing_marks) != 0) return true;
    if (untaken != 0 && step.edge != kNone) {
      const auto known = taken.find(state_of(from));
      if (known != taken.end() && known->second[step.edge] == 0) return true;
    }
    bool helps = false;
    for_each_mark_word(
        step, [&](std::size_t i, std::uint64_t word) { helps = helps || (word & needed[i] & ~shown[i]) != 0; });
    if (helps) return true;
    Graph& graph = product.graph();
    const EdgeSpan edges = graph.edges(state_of(step.target), buffer);
    return std::ranges::any_of(debts,
                               [&](Debts& owed) { return owed.are_less_after(graph.labels(), step.action, edges); });
  }
};

LassoBuilder::LassoBuilder(Product& product, Fairness fairness, const FairPart& part)
    : product_(product),
      fairness_(std::move(fairness)),
      part_(part),
      needed_(part.marks.size(), 0),
      member_(product.graph().budget(), product.automaton().states, 0),
      reached_(product.graph().budget(), product.automaton().states, Reached{}) {
  for (const NodeId node : part.nodes) member_.at(node) = 1;
  if (fairness_.condition == nullptr) return;
  for (const MarkId mark : fairness_.condition->conditions.enough(part.condition, part.marks)) {
    add_mark(needed_, mark);
  }
}

// Breadth first from the starts; keeps the first few nodes of the part that are met.
void LassoBuilder::find_stem(const std::vector<NodeId>& starts) {
  struct From {
    NodeId node = kNoNode;
    ActionId action = kIdleAction;
    bool met = false;
  };
  Graph& graph = product_.graph();
  LayeredArray<From> from(graph.budget(), product_.automaton().states, From{});
  std::vector<NodeId> queue;
  const std::size_t part_size = part_.nodes.size();
  const std::size_t wanted = part_size <= kSmallPart ? std::min(kEntriesTried, part_size) : 1;
  std::vector<NodeId> found;
  auto meet = [&](NodeId node, NodeId previous, ActionId action) {
    if (from.get(node).met) return;
    from.at(node) = {previous, action, true};
    queue.push_back(node);
    if (inside(node)) found.push_back(node);
  };
  for (const NodeId node : starts) meet(node, kNoNode, kIdleAction);
  for (std::size_t i = 0; i < queue.size() && found.size() < wanted; ++i) {
    graph.ticker().tick();
    if (!graph.is_expanded(state_of(queue[i]))) continue;
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(queue[i], cursor, step)) meet(step.target, queue[i], step.action);
  }
  for (const NodeId node : found) {
    Entry entry{node, {}, 0};
    NodeId at = node;
    for (; from.get(at).node != kNoNode; at = from.get(at).node) {
      entry.stem.push_back({from.get(at).action, state_of(at)});
    }
    std::reverse(entry.stem.begin(), entry.stem.end());
    entry.start = state_of(at);
    entries_.push_back(std::move(entry));
  }
}

// Extends the walk by a shortest way inside the part that ends with a step for which is_goal holds.
template <typename IsGoal>
bool LassoBuilder::walk_to(NodeId& at, Walk& walk, IsGoal&& is_goal) {
  ++round_;
  std::vector<NodeId> queue{at};
  reached_.at(at).round = round_;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    product_.graph().ticker().tick();
    const NodeId node = queue[i];
    SuccessorCursor cursor;
    ProductStep step;
    while (product_.next(node, cursor, step)) {
      if (!inside(step)) continue;
      const bool goal = is_goal(node, step);
      if (!goal && reached_.get(step.target).round == round_) continue;
      if (!goal) {
        reached_.at(step.target) = {round_, node, step.marks, step.edge, step.action};
        queue.push_back(step.target);
        continue;
      }
      std::vector<std::pair<NodeId, ProductStep>> way{{node, step}};
      for (NodeId back = node; back != at; back = reached_.get(back).from) {
        const Reached& r = reached_.get(back);
        way.emplace_back(r.from, ProductStep{back, r.marks, r.edge, r.action});
      }
      for (auto it = way.rbegin(); it != way.rend(); ++it) walk.take(it->first, it->second);
      at = step.target;
      return true;
    }
  }
  return false;
}

std::vector<RunStep> LassoBuilder::loop_from(NodeId start, std::size_t give_up_at) {
  Walk walk(product_, fairness_, part_, needed_);
  walk.enter(start);
  NodeId at = start;
  while (walk.steps.empty() || at != start || !walk.satisfied()) {
    const bool moved =
        walk.satisfied()
            ? walk_to(at, walk, [&](NodeId, const ProductStep& step) { return step.target == start; })
            : walk_to(at, walk, [&](NodeId from, const ProductStep& step) { return walk.helps(from, step); });
    if (!moved) throw std::logic_error("a fair part has no fair loop");
    if (walk.steps.size() >= give_up_at) return {};
  }
  return walk.steps;
}

Lasso LassoBuilder::build_from(const std::vector<NodeId>& starts, std::size_t longest) {
  find_stem(starts);
  if (entries_.empty()) throw std::logic_error("a fair part cannot be reached");
  Lasso best;
  std::size_t best_length = kAnyLength;
  const std::size_t give_up_at = longest == kAnyLength ? kAnyLength : longest + 1;
  if (fairness_.global && longest != kAnyLength && has_more_transitions_than(longest)) return best;
  for (const Entry& entry : entries_) {
    if (entry.stem.size() >= best_length) break;
    std::vector<RunStep> loop = loop_from(entry.node, std::min(give_up_at, best_length - entry.stem.size()));
    if (loop.empty() && best.loop.empty()) break;  // others would hardly be shorter
    if (loop.empty()) continue;
    best_length = entry.stem.size() + loop.size();
    best = Lasso{entry.start, entry.stem, std::move(loop)};
  }
  return best;
}

// Under strong global fairness a loop takes each of them.
bool LassoBuilder::has_more_transitions_than(std::size_t most) {
  Stamps seen;
  std::size_t count = 0;
  for (const NodeId node : part_.nodes) {
    if (!seen.stamp(state_of(node))) continue;
    count += product_.edges(node).count;
    if (count > most) return true;
  }
  return false;
}

std::vector<PartTransition> transitions_of(Product& product, const FairPart& part) {
  LayeredArray<std::uint8_t> member(product.graph().budget(), product.automaton().states, 0);
  for (const NodeId node : part.nodes) member.at(node) = 1;
  std::vector<PartTransition> found;
  for (const NodeId node : part.nodes) {
    product.graph().ticker().tick();
    SuccessorCursor cursor;
    ProductStep step;
    while (product.next(node, cursor, step)) {
      if (member.get(step.target) == 0) continue;
      if (part.excluded != nullptr && part.excluded->excludes(state_of(step.target), step.action)) continue;
      found.push_back({state_of(node), {step.action, state_of(step.target)}});
    }
  }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

}  // namespace fairlead
