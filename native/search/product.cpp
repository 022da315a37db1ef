#include "search/product.hpp"

#include <algorithm>

namespace fairlead {

Product::Product(Atoms& atoms, Automaton automaton, const StepFilter* filter, bool idles)
    : atoms_(atoms),
      graph_(atoms.graph()),
      automaton_(std::move(automaton)),
      filter_(filter),
      idles_(idles),
      accepts_all_(automaton_.states == 1 && automaton_.transitions.size() == 1 &&
                   automaton_.transitions[0].positive == 0 && automaton_.transitions[0].negative == 0 &&
                   automaton_.transitions[0].marks == 0),
      valuations_(graph_.budget()) {}

const std::vector<NodeId>& Product::initial_nodes() {
  if (initial_known_) return initial_;
  initial_known_ = true;
  for (const StateId state : graph_.initial()) start_nodes(state, 0, initial_);
  return initial_;
}

void Product::start_nodes(StateId state, std::uint64_t step_bits, std::vector<NodeId>& out) {
  const std::size_t first = out.size();
  for (const Successor& start : choices(automaton_.initial, state, step_class(step_bits))) {
    const NodeId node = make_node(state, start.state);
    if (std::find(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), node) == out.end()) {
      out.push_back(node);
    }
  }
}

bool Product::initial_waits() const {
  if (automaton_.may_accept[automaton_.initial]) return false;
  return std::any_of(automaton_.transitions.begin(), automaton_.transitions.end(),
                     [&](const AutomatonTransition& transition) {
                       return transition.source == automaton_.initial && transition.target == automaton_.initial &&
                              transition.positive == 0 && transition.negative == 0;
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

bool Product::next_idle(StateId state, std::uint32_t automaton_state, SuccessorCursor& cursor, ProductStep& step) {
  if (!idles_ || (filter_ != nullptr && !filter_->allows(state, kIdleAction))) return false;
  const std::span<const Successor> choices = successors(automaton_state, state, kIdleAction);
  if (cursor.choice >= choices.size()) return false;
  const Successor& chosen = choices[cursor.choice++];
  step = {make_node(state, chosen.state), chosen.marks, kNone, kIdleAction};
  return true;
}

void Product::evaluate_all() {
  classify_actions();
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    graph_.ticker().tick();
    const bool is_known = state < valuations_.size() && valuations_[state] != 0;
    if (!is_known && graph_.is_expanded(state)) evaluate(state);
  }
}

void Product::evaluate(StateId state) {
  if (state >= valuations_.size()) {
    valuations_.resize(std::max<std::size_t>(state + 1, graph_.state_count()), 0);
  }
  const std::uint64_t mask = atoms_.state_bits(state);
  const auto [entry, is_new] =
      valuation_numbers_.try_emplace(mask, static_cast<std::uint16_t>(valuation_masks_.size()));
  if (is_new) {
    // numbers of valuations are kept in 16 bits
    if (valuation_masks_.size() >= 0xffff) throw LimitReached{Limit::kMemory};
    valuation_masks_.push_back(mask);
  }
  valuations_[state] = static_cast<std::uint16_t>(entry->second + 1);
}

void Product::classify_actions() {
  while (action_classes_.size() < graph_.labels().action_count()) {
    action_classes_.push_back(step_class(atoms_.step_bits(static_cast<ActionId>(action_classes_.size()))));
  }
}

std::uint16_t Product::step_class(std::uint64_t bits) {
  const auto found = std::find(step_masks_.begin(), step_masks_.end(), bits);
  const auto number = static_cast<std::size_t>(found - step_masks_.begin());
  if (found == step_masks_.end()) {
    // numbers of classes are kept in 16 bits
    if (number >= 0xffff) throw LimitReached{Limit::kMemory};
    step_masks_.push_back(bits);
    rows_.emplace_back();
  }
  return static_cast<std::uint16_t>(number);
}

void Product::build_row(std::uint32_t valuation, std::uint16_t step_class) {
  std::vector<Row>& rows = rows_[step_class];
  if (valuation >= rows.size()) rows.resize(valuation + std::size_t{1});
  const std::uint64_t mask = valuation_masks_[valuation] | step_masks_[step_class];
  Row row(automaton_.states, Range{0, 0});
  for (std::uint32_t state = 0; state < automaton_.states; ++state) {
    row[state].first = static_cast<std::uint32_t>(pool_.size());
    for (const AutomatonTransition& transition : automaton_.transitions) {
      if (transition.source != state || !transition.reads(mask)) continue;
      pool_.push_back(Successor{transition.target, transition.marks});
    }
    row[state].count = static_cast<std::uint32_t>(pool_.size()) - row[state].first;
  }
  rows[valuation] = std::move(row);
}

}  // namespace fairlead
