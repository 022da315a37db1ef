#include "steps/step_memo.hpp"

#include <algorithm>

namespace fairlead {

void add_change(std::vector<WordChange>& changes, std::size_t first, const Field& field, std::uint64_t value) {
  const auto same_word = [&](const WordChange& change) { return change.word == field.word; };
  auto change = std::find_if(changes.begin() + static_cast<std::ptrdiff_t>(first), changes.end(), same_word);
  if (change == changes.end()) change = changes.insert(change, {~std::uint64_t{0}, 0, field.word});
  const std::uint64_t bits = field.mask() << field.shift;
  change->kept &= ~bits;
  change->set = (change->set & ~bits) | value << field.shift;
}

void StepMemo::bind(const Layout& layout) {
  looked_.clear();
  for (const std::size_t variable : variables_) {
    const Field& field = layout.value_field(variable);
    if (field.width == 0) continue;
    const auto same_word = [&](const Looked& looked) { return looked.word == field.word; };
    auto looked = std::find_if(looked_.begin(), looked_.end(), same_word);
    if (looked == looked_.end()) looked = looked_.insert(looked, {0, field.word});
    looked->mask |= field.mask() << field.shift;
  }
  asked_ = missed_ = 0;
  std::ranges::fill(table_, 0);
  keys_.clear();
  hashes_.clear();
  found_.clear();
  steps_.clear();
  if (looked_.size() > kMostWords) give_up();
}

const StepMemo::Found* StepMemo::find(const std::uint64_t* record) {
  ++asked_;
  if (table_.empty()) return nullptr;
  const std::size_t last = table_.size() - 1;
  for (std::size_t at = hash(record) & last; table_[at] != 0; at = (at + 1) & last) {
    if (is_same(table_[at] - 1, record)) return &found_[table_[at] - 1];
  }
  return nullptr;
}

void StepMemo::add(const std::uint64_t* record, const FoundSteps& found) {
  if (hardly_pays()) {
    give_up();
    return;
  }
  if (found_.size() >= kMost) return;
  if (4 * (found_.size() + 1) > 3 * table_.size()) grow();
  const std::uint64_t code = hash(record);
  std::size_t at = code & (table_.size() - 1);
  while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
  for (const Looked& looked : looked_) keys_.push_back(record[looked.word] & looked.mask);
  hashes_.push_back(code);
  found_.push_back({static_cast<std::uint32_t>(steps_.steps.size()), static_cast<std::uint32_t>(found.steps.size())});
  table_[at] = static_cast<std::uint32_t>(found_.size());
  const auto moved = static_cast<std::uint32_t>(steps_.changes.size());
  for (FoundSteps::Step step : found.steps) {
    step.first_change += moved;
    steps_.steps.push_back(step);
  }
  steps_.changes.insert(steps_.changes.end(), found.changes.begin(), found.changes.end());
}

void StepMemo::give_up() {
  *this = StepMemo(std::move(edges_), std::move(variables_));
  is_useful_ = false;
}

void StepMemo::grow() {
  table_.assign(std::max<std::size_t>(16, 2 * table_.size()), 0);
  for (std::size_t number = 0; number < found_.size(); ++number) {
    std::size_t at = hashes_[number] & (table_.size() - 1);
    while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = static_cast<std::uint32_t>(number + 1);
  }
}

std::size_t StepMemo::bytes() const {
  return sizeof(StepMemo) + edges_.capacity() * sizeof(Edges) + variables_.capacity() * sizeof(std::size_t) +
         looked_.capacity() * sizeof(Looked) + table_.capacity() * sizeof(std::uint32_t) +
         (keys_.capacity() + hashes_.capacity()) * sizeof(std::uint64_t) + found_.capacity() * sizeof(Found) +
         steps_.steps.capacity() * sizeof(FoundSteps::Step) + steps_.changes.capacity() * sizeof(WordChange);
}

}  // namespace fairlead
