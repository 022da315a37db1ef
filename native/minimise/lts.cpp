#include "minimise/lts.hpp"

namespace fairlead {

Predecessors::Predecessors(const Lts& lts, Which which, Budget& budget, Ticker& ticker)
    : offsets_(budget, lts.size() + 2, 0), sources_(budget) {
  const auto wanted = [which](const LtsEdge& edge) {
    return which == Which::kAll || (edge.label == kTauLabel) == (which == Which::kTau);
  };
  // counted one place further on, so that filling moves each offset to where it belongs
  for (std::uint32_t node = 0; node < lts.size(); ++node) {
    ticker.tick();
    for (const LtsEdge& edge : lts.edges(node)) {
      if (wanted(edge)) ++offsets_[edge.target + 2];
    }
  }
  for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  sources_.resize(offsets_.back(), 0);
  for (std::uint32_t node = 0; node < lts.size(); ++node) {
    ticker.tick();
    for (const LtsEdge& edge : lts.edges(node)) {
      if (wanted(edge)) sources_[offsets_[edge.target + 1]++] = node;
    }
  }
}

// Tarjan's algorithm, with a stack of its own.
TauComponents::TauComponents(const Lts& lts, Budget& budget, Ticker& ticker)
    : of(budget, lts.size(), kNone), cyclic(budget) {
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;
  };
  Charged<std::uint32_t> low(budget, lts.size(), 0);  // 0: not met
  Charged<std::uint32_t> waiting(budget);
  Charged<Frame> path(budget);
  std::uint32_t met = 0;
  Charged<std::uint32_t> place(budget, lts.size(), 0);
  const auto enter = [&](std::uint32_t node) {
    place[node] = low[node] = ++met;
    waiting.push_back(node);
    path.push_back({node, 0});
  };
  const auto leave = [&](std::uint32_t node) {
    path.pop_back();
    if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
    if (low[node] != place[node]) return;
    const auto component = static_cast<std::uint32_t>(cyclic.size());
    bool loops = waiting.back() != node;
    for (const LtsEdge& edge : lts.edges(node)) loops |= edge.label == kTauLabel && edge.target == node;
    cyclic.push_back(loops);
    while (of[node] == kNone) {
      of[waiting.back()] = component;
      waiting.pop_back();
    }
  };
  for (std::uint32_t root = 0; root < lts.size(); ++root) {
    if (place[root] != 0) continue;
    enter(root);
    while (!path.empty()) {
      ticker.tick();
      const std::uint32_t node = path.back().node;
      const auto edges = lts.edges(node);
      std::uint32_t next = path.back().next;
      bool entered = false;
      while (next < edges.size() && !entered) {
        const LtsEdge edge = edges[next++];
        if (edge.label != kTauLabel) continue;
        if (place[edge.target] == 0) {
          path.back().next = next;
          enter(edge.target);
          entered = true;
        } else if (of[edge.target] == kNone) {
          low[node] = std::min(low[node], place[edge.target]);
        }
      }
      if (!entered) leave(node);
    }
  }
}

Lts quotient(const Lts& lts, const Membership& of, std::size_t count, InnerTau inner, Budget& budget, Ticker& ticker,
             const Loops& loops) {
  Charged<std::uint64_t> starts(budget, count + 2, 0);
  for (std::uint32_t node = 0; node < lts.size(); ++node) ++starts[of[node] + 2];
  for (std::size_t i = 2; i < starts.size(); ++i) starts[i] += starts[i - 1];
  Charged<std::uint32_t> members(budget, lts.size(), 0);
  for (std::uint32_t node = 0; node < lts.size(); ++node) members[starts[of[node] + 1]++] = node;
  Lts result(budget);
  std::vector<std::uint64_t> keys;
  for (std::uint32_t set = 0; set < count; ++set) {
    keys.clear();
    for (std::uint64_t i = starts[set]; i < starts[set + 1]; ++i) {
      ticker.tick();
      for (const LtsEdge& edge : lts.edges(members[i])) {
        const std::uint32_t target = of[edge.target];
        if (inner == InnerTau::kDropped && edge.label == kTauLabel && target == set) continue;
        keys.push_back(LtsEdge{edge.label, target}.key());
      }
    }
    if (set < loops.at.size() && loops.at[set]) keys.push_back(LtsEdge{loops.label, set}.key());
    result.finish_node(keys);
  }
  return result;
}

}  // namespace fairlead
