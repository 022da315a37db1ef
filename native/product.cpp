#include "product.hpp"

#include <algorithm>

namespace fairlead {

Product::Product(Graph& graph, Automaton automaton)
    : graph_(graph),
      automaton_(std::move(automaton)),
      valuations_(graph.budget()) {
  for (const auto& [label, bits] : automaton_.event_bits) {
    if (std::find(event_masks_.begin(), event_masks_.end(), bits) == event_masks_.end()) {
      event_masks_.push_back(bits);
    }
  }
}

const std::vector<NodeId>& Product::initial_nodes() {
  if (initial_known_) return initial_;
  initial_known_ = true;
  for (const StateId state : graph_.initial()) {
    for (const Successor& start : successors(automaton_.initial, state, kIdleAction)) {
      const NodeId node = make_node(state, start.state);
      if (std::find(initial_.begin(), initial_.end(), node) == initial_.end()) initial_.push_back(node);
    }
  }
  return initial_;
}

bool Product::initial_waits() const {
  if (automaton_.may_accept[automaton_.initial]) return false;
  return std::any_of(automaton_.transitions.begin(), automaton_.transitions.end(),
                     [&](const AutomatonTransition& transition) {
                       return transition.source == automaton_.initial &&
                              transition.target == automaton_.initial && transition.positive == 0 &&
                              transition.negative == 0;
                     });
}

void Product::entries_from(StateId state, std::vector<NodeId>& out) {
  SuccessorCursor cursor;
  ProductStep step;
  const NodeId waiting = make_node(state, automaton_.initial);
  while (next(waiting, cursor, step)) {
    if (automaton_state_of(step.target) != automaton_.initial) out.push_back(step.target);
  }
}

bool Product::next_idle(StateId state, std::uint32_t automaton_state, SuccessorCursor& cursor,
                        ProductStep& step) {
  const std::span<const Successor> choices = successors(automaton_state, state, kIdleAction);
  if (cursor.choice >= choices.size()) return false;
  const Successor& chosen = choices[cursor.choice++];
  step = {make_node(state, chosen.state), chosen.marks, kNone, kIdleAction};
  return true;
}

void Product::evaluate(StateId state) {
  if (state >= valuations_.size()) {
    valuations_.resize(std::max<std::size_t>(state + 1, graph_.state_count()), 0);
  }
  const std::uint64_t mask = graph_.propositions(state, automaton_.propositions);
  const auto [entry, is_new] =
      valuation_numbers_.try_emplace(mask, static_cast<std::uint16_t>(valuation_masks_.size()));
  if (is_new) {
    // numbers of valuations are kept in 16 bits
    if (valuation_masks_.size() >= 0xffff) throw LimitReached{LimitReached::What::kMemory};
    valuation_masks_.push_back(mask);
  }
  valuations_[state] = static_cast<std::uint16_t>(entry->second + 1);
}

void Product::classify_actions() {
  const Labels& labels = graph_.labels();
  while (action_classes_.size() < labels.action_count()) {
    const LabelId label = labels.label_of(static_cast<ActionId>(action_classes_.size()));
    std::uint64_t bits = 0;
    for (const auto& [known, mask] : automaton_.event_bits) {
      if (known == label) bits = mask;
    }
    const auto found = std::find(event_masks_.begin(), event_masks_.end(), bits);
    action_classes_.push_back(static_cast<std::uint16_t>(found - event_masks_.begin()));
  }
}

void Product::build_row(std::uint32_t letter) {
  if (letter >= rows_.size()) rows_.resize(letter + 1);
  const std::uint64_t mask = valuation_masks_[letter / event_masks_.size()] |
                             event_masks_[letter % event_masks_.size()];
  std::vector<Range> row(automaton_.states, Range{0, 0});
  for (std::uint32_t state = 0; state < automaton_.states; ++state) {
    row[state].first = static_cast<std::uint32_t>(pool_.size());
    for (const AutomatonTransition& transition : automaton_.transitions) {
      if (transition.source != state || (transition.positive & ~mask) != 0 ||
          (transition.negative & mask) != 0) {
        continue;
      }
      pool_.push_back(Successor{transition.target, transition.marks});
    }
    row[state].count = static_cast<std::uint32_t>(pool_.size()) - row[state].first;
  }
  rows_[letter] = std::move(row);
}

}  // namespace fairlead
