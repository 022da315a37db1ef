#include "explore/proviso.hpp"

#include <algorithm>

namespace fairlead {

std::vector<StateId> ReducedStates::to_expand(Graph& graph) {
  std::vector<StateId> found;
  if (proviso_ == Proviso::kCycles) found = on_cycles(graph);
  if (proviso_ == Proviso::kReached) found = never_left(graph);
  settled_ = graph.state_count();
  std::sort(found.begin(), found.end());
  for (const StateId state : found) reduced_[state] = 0;
  count_ -= found.size();
  return found;
}

// Depth first: of each cycle the state that is met first is the target of a step from a state above it.
std::vector<StateId> ReducedStates::on_cycles(Graph& graph) {
  enum : std::uint8_t { kNew, kOpen, kDone, kChosen };
  struct Frame {
    StateId state;
    std::uint32_t next;
  };
  ChunkedVector<std::uint8_t> status(budget_);
  status.resize(graph.state_count() - settled_, kNew);
  ChunkedVector<Frame> stack(budget_);
  std::vector<StateId> chosen;
  EdgeBuffer buffer;
  const auto enter = [&](StateId state) {
    status[state - settled_] = kOpen;
    stack.push_back(Frame{state, 0});
  };
  const auto is_new_one = [&](StateId state) { return state >= settled_ && has(state); };
  for (std::size_t root = settled_; root < graph.state_count(); ++root) {
    const auto first = static_cast<StateId>(root);
    if (!is_new_one(first) || status[root - settled_] != kNew) continue;
    enter(first);
    while (stack.size() != 0) {
      graph.ticker().tick();
      Frame& top = stack[stack.size() - 1];
      const EdgeSpan edges = graph.edges(top.state, buffer);
      if (top.next == edges.count) {
        std::uint8_t& own = status[top.state - settled_];
        if (own == kOpen) own = kDone;
        stack.pop_back();
        continue;
      }
      const StateId target = edges.targets[top.next++];
      if (!is_new_one(target)) continue;
      std::uint8_t& other = status[target - settled_];
      if (other == kNew) {
        enter(target);
      } else if (other == kOpen && status[top.state - settled_] != kChosen) {
        other = kChosen;
        chosen.push_back(target);
      }
    }
  }
  return chosen;
}

// Strongly connected components, each after those it leads to: one that leads to no state with all its steps gets one.
std::vector<StateId> ReducedStates::never_left(Graph& graph) {
  struct Mark {
    std::uint32_t order = 0;  // in which it was met, from 1 on
    std::uint32_t low = 0;    // the first one that it is known to lead to
    bool is_open = false;
    bool leads_on = false;    // to a state with all its steps
  };
  struct Frame {
    StateId state;
    std::uint32_t next;
  };
  ChunkedVector<Mark> marks(budget_);
  marks.resize(graph.state_count() - settled_, Mark{});
  ChunkedVector<Frame> stack(budget_);
  ChunkedVector<StateId> open(budget_);
  std::vector<StateId> chosen;
  EdgeBuffer buffer;
  std::uint32_t met = 0;
  const auto enter = [&](StateId state) {
    ++met;
    marks[state - settled_] = Mark{met, met, true, false};
    stack.push_back(Frame{state, 0});
    open.push_back(state);
  };
  const auto is_new_one = [&](StateId state) { return state >= settled_ && has(state); };
  const auto leave = [&](StateId state) {
    Mark& own = marks[state - settled_];
    if (own.low == own.order) {
      bool leads_on = false;
      StateId least = state;
      for (std::size_t i = open.size(); i-- > 0;) {
        leads_on = leads_on || marks[open[i] - settled_].leads_on;
        least = std::min(least, open[i]);
        if (open[i] == state) break;
      }
      if (!leads_on) chosen.push_back(least);
      for (bool last = false; !last;) {
        const StateId member = open[open.size() - 1];
        open.pop_back();
        marks[member - settled_].is_open = false;
        marks[member - settled_].leads_on = true;
        last = member == state;
      }
    }
    stack.pop_back();
    if (stack.size() == 0) return;
    Mark& above = marks[stack[stack.size() - 1].state - settled_];
    above.low = std::min(above.low, own.low);
    if (!own.is_open) above.leads_on = true;
  };
  for (std::size_t root = settled_; root < graph.state_count(); ++root) {
    const auto first = static_cast<StateId>(root);
    if (!is_new_one(first) || marks[root - settled_].order != 0) continue;
    enter(first);
    while (stack.size() != 0) {
      graph.ticker().tick();
      Frame& top = stack[stack.size() - 1];
      const EdgeSpan edges = graph.edges(top.state, buffer);
      if (top.next == edges.count) {
        leave(top.state);
        continue;
      }
      const StateId target = edges.targets[top.next++];
      Mark& own = marks[top.state - settled_];
      const bool is_new = is_new_one(target);
      if (is_new && marks[target - settled_].order == 0) {
        enter(target);
      } else if (is_new && marks[target - settled_].is_open) {
        own.low = std::min(own.low, marks[target - settled_].order);
      } else {
        own.leads_on = true;
      }
    }
  }
  return chosen;
}

}  // namespace fairlead
