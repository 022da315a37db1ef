#include "steps/plans.hpp"

#include <algorithm>

namespace fairlead {

void PlanDraft::copy(const Field& from, const Field& to) {
  if (to.width == 0) return;
  const std::uint32_t rotation = (64u + to.shift - from.shift) % 64u;
  const std::uint64_t mask = to.mask() << to.shift;
  const auto alike = [&](const WordCopy& copy) {
    return copy.from == from.word && copy.to == to.word && copy.rotation == rotation;
  };
  const auto known = std::ranges::find_if(copies, alike);
  if (known != copies.end()) {
    known->mask |= mask;
  } else {
    copies.push_back({mask, from.word, to.word, rotation});
  }
}

std::uint32_t Plans::step_of(std::span<const std::uint32_t> key, bool may_be_added) {
  if (!may_be_added || steps_.size() >= kMost) {
    const std::uint32_t known = keys_.find(key);
    return known == kNone ? kNone : step_of_key_[known];
  }
  const auto [id, is_new] = keys_.intern_alone(key);
  if (is_new) step_of_key_.push_back(new_step({}));
  return step_of_key_[id];
}

std::uint32_t Plans::new_step(std::span<const Field> fields) {
  Step step;
  look_at(step, fields);
  steps_.push_back(step);
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

void Plans::look_at(Step& step, std::span<const Field> fields) {
  std::vector<Looked> parts(looked(step).begin(), looked(step).end());
  bool is_more = false;
  for (const Field& field : fields) {
    if (field.width == 0) continue;
    const std::uint64_t mask = field.mask() << field.shift;
    auto part = std::ranges::find(parts, field.word, &Looked::word);
    if (part == parts.end()) part = parts.insert(part, {0, field.word});
    is_more = is_more || (mask & ~part->mask) != 0;
    part->mask |= mask;
  }
  if (!is_more) return;
  step.first_looked = static_cast<std::uint32_t>(looked_.size());
  step.looked_count = static_cast<std::uint32_t>(parts.size());
  looked_.insert(looked_.end(), parts.begin(), parts.end());
  step.group = ++groups_;
  step.only = kNone;
}

const Plans::Plan* Plans::find(std::uint32_t number, const std::uint64_t* record) {
  ++asked_;
  const Step& step = steps_[number];
  if (step.looked_count == 0) return step.only == kNone ? nullptr : &plans_[step.only];
  if (table_.empty()) return nullptr;
  const std::size_t last = table_.size() - 1;
  for (std::size_t at = hash(step, record) & last; table_[at] != 0; at = (at + 1) & last) {
    const Entry& entry = entries_[table_[at] - 1];
    if (is_same(entry, step, record)) return &plans_[entry.plan];
  }
  return nullptr;
}

bool Plans::is_same(const Entry& entry, const Step& step, const std::uint64_t* record) const {
  if (entry.group != step.group) return false;
  const std::uint64_t* key = key_words_.data() + entry.first_key;
  return std::ranges::all_of(looked(step),
                             [&](const Looked& part) { return *key++ == (record[part.word] & part.mask); });
}

void Plans::add(std::uint32_t number, const std::uint64_t* record, std::span<const Field> fields,
                const PlanDraft& draft) {
  if (plans_.size() >= kMany && asked_ < 4 * plans_.size()) {
    give_up();  // hardly anything comes again
    return;
  }
  if (plans_.size() >= kMost) return;
  Step& step = steps_[number];
  look_at(step, fields);
  const std::uint32_t plan = add_plan(draft);
  if (step.looked_count == 0) {
    step.only = plan;
    return;
  }
  if (4 * (entries_.size() + 1) > 3 * table_.size()) grow();
  const std::uint64_t code = hash(step, record);
  std::size_t at = code & (table_.size() - 1);
  while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
  entries_.push_back({code, step.group, static_cast<std::uint32_t>(key_words_.size()), plan});
  for (const Looked& part : looked(step)) key_words_.push_back(record[part.word] & part.mask);
  table_[at] = static_cast<std::uint32_t>(entries_.size());
}

std::uint32_t Plans::add_plan(const PlanDraft& draft) {
  plans_.push_back({static_cast<std::uint32_t>(copies_.size()), static_cast<std::uint32_t>(draft.copies.size()),
                    static_cast<std::uint32_t>(words_.size()), static_cast<std::uint16_t>(draft.depth),
                    draft.is_error});
  copies_.insert(copies_.end(), draft.copies.begin(), draft.copies.end());
  words_.insert(words_.end(), draft.set.begin(), draft.set.end());
  return static_cast<std::uint32_t>(plans_.size() - 1);
}

void Plans::grow() {
  table_.assign(std::max<std::size_t>(16, 2 * table_.size()), 0);
  for (std::size_t number = 0; number < entries_.size(); ++number) {
    std::size_t at = entries_[number].hash & (table_.size() - 1);
    while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = static_cast<std::uint32_t>(number + 1);
  }
}

void Plans::bind(std::size_t words) {
  const bool was_useful = is_useful_;
  *this = Plans();
  is_useful_ = was_useful;
  stride_ = words;
}

void Plans::give_up() {
  bind(stride_);
  is_useful_ = false;
}

std::size_t Plans::bytes() const {
  return keys_.bytes() + (step_of_key_.capacity() + table_.capacity()) * sizeof(std::uint32_t) +
         steps_.capacity() * sizeof(Step) + looked_.capacity() * sizeof(Looked) + entries_.capacity() * sizeof(Entry) +
         (key_words_.capacity() + words_.capacity()) * sizeof(std::uint64_t) + plans_.capacity() * sizeof(Plan) +
         copies_.capacity() * sizeof(WordCopy);
}

}  // namespace fairlead
