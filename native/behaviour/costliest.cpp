#include "behaviour/costliest.hpp"

#include <algorithm>

namespace fairlead {

Costliest::Costliest(NetworkGraph& graph, const CostQuestion& question)
    : graph_(graph),
      costs_(graph, question),
      nodes_(graph.budget()),
      components_(graph.budget()),
      order_(graph.budget()),
      open_(graph.budget()),
      way_(graph.budget()) {}

BestRun Costliest::search() {
  BestRun found;
  read_states();
  find_components();
  if (has_no_greatest(found)) return found;
  spread_costs();
  best_run(found);
  return found;
}

void Costliest::read_states() {
  nodes_.resize(graph_.state_count(), Node{});
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    graph_.ticker().tick();
    nodes_[state].value = costs_.value(state);
    nodes_[state].is_goal = costs_.is_goal(state);
  }
}

void Costliest::find_components() {
  for (const StateId start : graph_.initial()) {
    if (nodes_[start].low == 0) visit(start);
  }
}

// Tarjan's algorithm. `low` is 0 before a state is visited.
void Costliest::visit(StateId root) {
  const auto enter = [&](StateId state) {
    nodes_[state].low = ++visited_;
    open_.push_back(state);
    way_.push_back({state, 0});
  };
  // the number of a state is its low when it is entered; lows only sink, so it is kept with the frame
  ChunkedVector<std::uint32_t> numbers(graph_.budget());
  enter(root);
  numbers.push_back(nodes_[root].low);
  while (way_.size() != 0) {
    graph_.ticker().tick();
    const StateId state = way_.back().state;
    const EdgeSpan edges = graph_.edges(state, buffer_);
    bool entered = false;
    while (way_.back().next < edges.count) {
      const StateId target = edges.targets[way_.back().next++];
      if (nodes_[target].low == 0) {
        enter(target);
        numbers.push_back(nodes_[target].low);
        entered = true;
        break;
      }
      if (nodes_[target].component == kNone) nodes_[state].low = std::min(nodes_[state].low, nodes_[target].low);
    }
    if (entered) continue;
    if (nodes_[state].low == numbers.back()) close(state);
    way_.pop_back();
    numbers.pop_back();
    if (way_.size() != 0 && nodes_[state].component == kNone) {
      Node& parent = nodes_[way_.back().state];
      parent.low = std::min(parent.low, nodes_[state].low);
    }
  }
}

void Costliest::close(StateId state) {
  const auto number = static_cast<std::uint32_t>(components_.size());
  components_.push_back({});
  const std::size_t first = order_.size();
  StateId member = kNone;
  do {
    member = open_.back();
    open_.pop_back();
    nodes_[member].component = number;
    order_.push_back(member);
  } while (member != state);
  EdgeBuffer buffer;
  bool reaches = false;
  for (std::size_t i = first; i < order_.size() && !reaches; ++i) {
    reaches = nodes_[order_[i]].is_goal;
    const EdgeSpan edges = graph_.edges(order_[i], buffer);
    for (std::uint32_t k = 0; k < edges.count && !reaches; ++k) reaches = component_of(edges.targets[k]).reaches_goal;
  }
  components_[number].reaches_goal = reaches;
}

bool Costliest::has_no_greatest(BestRun& found) {
  bool grows = false;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    graph_.ticker().tick();
    const StateId state = order_[i];
    const EdgeSpan edges = graph_.edges(state, buffer_);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      const StateId target = edges.targets[k];
      const std::int64_t step = cost(edges.actions[k], target);
      if (step < 0) {
        found.status = CostStatus::kBothSigns;
        return true;
      }
      if (grows || step == 0 || nodes_[target].component != nodes_[state].component) continue;
      grows = component_of(state).reaches_goal;
      if (grows) costly_cycle(state, {edges.actions[k], target}, found);
    }
  }
  return grows;
}

void Costliest::costly_cycle(StateId state, RunStep first, BestRun& found) {
  const std::uint32_t own = nodes_[state].component;
  shortest(
      {first.state}, [&](StateId, ActionId, StateId to) { return nodes_[to].component == own; },
      [&](StateId at) { return at == state; }, found);
  found.status = CostStatus::kUnbounded;
  found.start = state;
  found.steps.insert(found.steps.begin(), first);
}

void Costliest::spread_costs() {
  for (const StateId start : graph_.initial()) {
    Component& own = component_of(start);
    own.cost = std::max(own.cost, costs_.cost(nodes_[start].value));
  }
  // a component comes after all that it leads to
  for (std::size_t i = order_.size(); i-- > 0;) {
    graph_.ticker().tick();
    const StateId state = order_[i];
    const std::int64_t own = component_of(state).cost;
    const EdgeSpan edges = graph_.edges(state, buffer_);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      Component& next = component_of(edges.targets[k]);
      if (next.reaches_goal) next.cost = std::max(next.cost, own + cost(edges.actions[k], edges.targets[k]));
    }
  }
}

void Costliest::best_run(BestRun& found) {
  std::int64_t best = INT64_MIN;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (nodes_[order_[i]].is_goal) best = std::max(best, component_of(order_[i]).cost);
  }
  if (best == INT64_MIN) return;  // no goal
  costs_.set_value(found, best);
  std::vector<StateId> starts;
  for (const StateId start : graph_.initial()) {
    if (costs_.cost(nodes_[start].value) == component_of(start).cost) starts.push_back(start);
  }
  shortest(
      starts,
      [&](StateId from, ActionId action, StateId to) {
        return component_of(from).cost + cost(action, to) == component_of(to).cost;
      },
      [&](StateId at) { return nodes_[at].is_goal && component_of(at).cost == best; }, found);
}

template <typename Allowed, typename Wanted>
void Costliest::shortest(const std::vector<StateId>& starts, Allowed&& allowed, Wanted&& wanted, BestRun& found) {
  ChunkedVector<From> from(graph_.budget());
  from.resize(graph_.state_count(), From{});
  ChunkedVector<StateId> queue(graph_.budget());
  EdgeBuffer buffer;
  for (const StateId start : starts) {
    from[start].met = true;
    queue.push_back(start);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph_.ticker().tick();
    const StateId state = queue[i];
    if (wanted(state)) {
      StateId at = state;
      for (; from[at].state != kNone; at = from[at].state) found.steps.push_back({from[at].action, at});
      found.start = at;
      std::reverse(found.steps.begin(), found.steps.end());
      return;
    }
    const EdgeSpan edges = graph_.edges(state, buffer);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      From& entry = from[edges.targets[k]];
      if (entry.met || !allowed(state, edges.actions[k], edges.targets[k])) continue;
      entry = {state, edges.actions[k], true};
      queue.push_back(edges.targets[k]);
    }
  }
}

}  // namespace fairlead
