#include "search/atoms.hpp"

#include <algorithm>
#include <bit>

namespace fairlead {

namespace {

void set_bit(std::span<std::uint64_t> words, std::uint32_t bit) { words[bit >> 6] |= std::uint64_t{1} << (bit & 63); }

void add_listed(const std::vector<std::vector<std::uint32_t>>& lists, std::uint32_t name,
                std::vector<std::uint32_t>& out) {
  if (name < lists.size()) out.insert(out.end(), lists[name].begin(), lists[name].end());
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

std::uint32_t Atoms::add(bool is_step) {
  of_action_.clear();
  is_step_.push_back(is_step ? 1 : 0);
  return count() - 1;
}

void Atoms::list(Lists& lists, std::uint32_t name, std::uint32_t atom) {
  if (name >= lists.size()) lists.resize(name + std::size_t{1});
  lists[name].push_back(atom);
}

std::uint32_t Atoms::add_own(std::int32_t code) {
  own_codes_.push_back(code);
  own_atoms_.push_back(add(false));
  return own_atoms_.back();
}

std::uint32_t Atoms::add_enabled(const ActionSet& actions) {
  const std::uint32_t atom = add(false);
  any_enabled_ = true;
  for (const LabelId label : actions.labels) list(enabled_by_label_, label, atom);
  for (const ProcessId process : actions.processes) list(enabled_by_process_, process, atom);
  return atom;
}

std::uint32_t Atoms::add_ready(std::uint32_t annotation) {
  ready_.emplace_back(annotation, add(false));
  return ready_.back().second;
}

std::uint32_t Atoms::add_member(const BitSet& states) {
  members_.emplace_back(&states, add(false));
  return members_.back().second;
}

std::uint32_t Atoms::add_step(const ActionSet& actions) {
  const std::uint32_t atom = add(true);
  actions_.emplace(atom, actions);
  for (const LabelId label : actions.labels) list(step_by_label_, label, atom);
  for (const ProcessId process : actions.processes) list(step_by_process_, process, atom);
  return atom;
}

std::uint32_t Atoms::add_left(ProcessId process) {
  const std::uint32_t atom = add_step(ActionSet{});
  list(step_by_left_, process, atom);
  return atom;
}

std::uint32_t Atoms::add_entered(ProcessId process) {
  const std::uint32_t atom = add_step(ActionSet{});
  list(step_by_entered_, process, atom);
  return atom;
}

void Atoms::learn_actions() {
  const Labels& labels = graph_.labels();
  while (of_action_.size() < labels.action_count()) {
    const auto action = static_cast<ActionId>(of_action_.size());
    OfAction& found = of_action_.emplace_back();
    if (action == kIdleAction) continue;
    add_listed(step_by_label_, labels.label_of(action), found.step_atoms);
    add_listed(enabled_by_label_, labels.label_of(action), found.enabled_atoms);
    for (const ProcessId process : labels.processes_of(action)) {
      add_listed(step_by_process_, process, found.step_atoms);
      add_listed(enabled_by_process_, process, found.enabled_atoms);
    }
    for (const ProcessId process : labels.left_by(action)) add_listed(step_by_left_, process, found.step_atoms);
    for (const ProcessId process : labels.entered_by(action)) {
      add_listed(step_by_entered_, process, found.step_atoms);
    }
    sort_unique(found.step_atoms);
    sort_unique(found.enabled_atoms);
  }
}

void Atoms::of_state(StateId state, std::span<std::uint64_t> words) {
  std::fill(words.begin(), words.end(), 0);
  for (std::size_t first = 0; first < own_codes_.size(); first += 64) {
    const std::size_t count = std::min<std::size_t>(64, own_codes_.size() - first);
    std::uint64_t bits = graph_.propositions(state, std::span(own_codes_).subspan(first, count));
    for (; bits != 0; bits &= bits - 1) {
      set_bit(words, own_atoms_[first + static_cast<std::size_t>(std::countr_zero(bits))]);
    }
  }
  if (any_enabled_) {
    const EdgeSpan edges = graph_.edges(state, edges_);
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      if (edges.actions[i] >= of_action_.size()) learn_actions();
      for (const std::uint32_t atom : of_action_[edges.actions[i]].enabled_atoms) set_bit(words, atom);
    }
  }
  if (!ready_.empty()) {
    const std::span<const std::uint32_t> ready = annotations_->ready(state);
    for (const auto& [annotation, atom] : ready_) {
      if (std::binary_search(ready.begin(), ready.end(), annotation)) set_bit(words, atom);
    }
  }
  for (const auto& [states, atom] : members_) {
    if (states->has(state)) set_bit(words, atom);
  }
}

}  // namespace fairlead
