#include "minimise/bisimulation.hpp"

#include "minimise/partition.hpp"

namespace fairlead {

Bisimulation::Bisimulation(Graph& graph, Observation observation, Equivalence equivalence)
    : graph_(graph),
      budget_(graph.budget()),
      ticker_(graph.ticker()),
      observation_(std::move(observation)),
      equivalence_(equivalence),
      numbers_(budget_, graph.state_count(), kNone),
      of_(budget_),
      result_(budget_) {}

void Bisimulation::run() {
  Lts lts = read();
  nodes_ = lts.size();
  const bool is_strong = equivalence_ == Equivalence::kStrong;
  const Lts smallest = is_strong ? minimised_strong(std::move(lts)) : minimised_weak(std::move(lts));
  number_blocks(smallest);
}

// The reachable part, numbered breadth first. Termination is a loop that all can see.
Lts Bisimulation::read() {
  Lts lts(budget_);
  Charged<StateId> queue(budget_);
  std::uint32_t next = 0;
  const auto number = [&](StateId state) {
    if (numbers_[state] == kNone) {
      numbers_[state] = next++;
      queue.push_back(state);
    }
    return numbers_[state];
  };
  Charged<std::uint8_t> has_ended(budget_, graph_.state_count(), 0);
  for (const StateId state : observation_.ended) has_ended[state] = 1;
  std::vector<std::uint64_t> keys;
  if (graph_.initial().size() > 1) {
    ++next;
    for (const StateId state : graph_.initial()) keys.push_back(LtsEdge{kTauLabel, number(state)}.key());
    lts.finish_node(keys);
  } else {
    for (const StateId state : graph_.initial()) number(state);
  }
  EdgeBuffer buffer;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    ticker_.tick();
    const StateId state = queue[i];
    const EdgeSpan edges = graph_.edges(state, buffer);
    keys.clear();
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      keys.push_back(LtsEdge{observation_.labels[edges.actions[k]], number(edges.targets[k])}.key());
    }
    if (has_ended[state]) keys.push_back(LtsEdge{ended_label(), numbers_[state]}.key());
    lts.finish_node(keys);
  }
  of_.resize(lts.size(), 0);
  for (std::uint32_t node = 0; node < lts.size(); ++node) of_[node] = node;
  return lts;
}

std::vector<std::uint32_t> Bisimulation::wrong_nodes() const {
  std::vector<std::uint32_t> nodes;
  for (const StateId state : observation_.wrong) {
    if (numbers_[state] != kNone) nodes.push_back(of_[numbers_[state]]);
  }
  return nodes;
}

Lts Bisimulation::merged(Lts lts, const Membership& of, std::size_t count, InnerTau inner, const Loops& loops) {
  for (std::uint32_t& node : of_) node = of[node];
  return quotient(lts, of, count, inner, budget_, ticker_, loops);
}

Lts Bisimulation::minimised_strong(Lts lts) {
  Refinement refinement(lts, wrong_nodes(), TauSteps::kVisible, budget_, ticker_);
  refinement.run();
  const std::size_t count = refinement.block_count();
  return merged(std::move(lts), refinement.take_blocks(), count, InnerTau::kKept);
}

// All states on a cycle of internal steps are equivalent. A cycle that counts becomes a visible loop.
Lts Bisimulation::without_tau_cycles(Lts lts) {
  TauComponents components(lts, budget_, ticker_);
  if (equivalence_ == Equivalence::kWeak) {  // only cycles without a way out count
    for (std::uint32_t node = 0; node < lts.size(); ++node) {
      ticker_.tick();
      for (const LtsEdge& edge : lts.edges(node)) {
        const bool leaves = edge.label != kTauLabel || components.of[edge.target] != components.of[node];
        if (leaves) components.cyclic[components.of[node]] = 0;
      }
    }
  }
  const std::size_t count = components.size();
  return merged(std::move(lts), components.of, count, InnerTau::kDropped,
                {{components.cyclic.begin(), count}, divergence_label()});
}

// Branching bisimulation, which is finer and cheap, leaves weak bisimulation little to do.
Lts Bisimulation::minimised_weak(Lts lts) {
  lts = without_tau_cycles(std::move(lts));
  {
    Refinement refinement(lts, wrong_nodes(), TauSteps::kInert, budget_, ticker_);
    refinement.run();
    const std::size_t count = refinement.block_count();
    lts = merged(std::move(lts), refinement.take_blocks(), count, InnerTau::kDropped);
  }
  bool has_tau = false;
  for (std::uint32_t node = 0; node < lts.size() && !has_tau; ++node) {
    for (const LtsEdge& edge : lts.edges(node)) has_tau |= edge.label == kTauLabel;
  }
  if (!has_tau) return lts;
  {  // numbers along internal steps, of which there are no cycles
    TauComponents components(lts, budget_, ticker_);
    lts = merged(std::move(lts), components.of, components.size(), InnerTau::kDropped);
  }
  WeakRefinement refinement(lts, wrong_nodes(), budget_, ticker_);
  refinement.run();
  const std::size_t count = refinement.block_count();
  return merged(std::move(lts), refinement.take_blocks(), count, InnerTau::kDropped);
}

void Bisimulation::number_blocks(const Lts& lts) {
  Membership numbers(budget_, lts.size(), kNone);
  Charged<std::uint32_t> order(budget_);
  const auto number = [&](std::uint32_t node) {
    if (numbers[node] == kNone) {
      numbers[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(node);
    }
    return numbers[node];
  };
  if (lts.size() != 0) number(of_[0]);
  std::vector<std::uint64_t> keys;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    ticker_.tick();
    keys.clear();
    for (const LtsEdge& edge : lts.edges(order[i])) {
      if (edge.label == ended_label()) {
        ended_.push_back(i);
      } else if (edge.label == divergence_label()) {
        keys.push_back(LtsEdge{kTauLabel, i}.key());
      } else {
        keys.push_back(LtsEdge{edge.label, number(edge.target)}.key());
      }
    }
    result_.finish_node(keys);
  }
  for (std::uint32_t& node : of_) node = numbers[node];
  const auto wrong = wrong_nodes();
  if (!wrong.empty()) wrong_ = wrong.front();
}

}  // namespace fairlead
