#include "steps/partial_order.hpp"

#include <algorithm>

namespace fairlead {

std::optional<std::string> PartialOrder::prepare(std::span<const Unpacked> initial) {
  shape_ = initial[0].shape;
  for (const Unpacked& state : initial) {
    if (state.shape != shape_) return "the initial states are of different kinds";
  }
  const Shape& shape = network_.shape(shape_);
  if (shape.slot_process.size() > SlotSet::kMost) return "there are more than 256 processes";
  if (const auto why = futures_.follow(initial)) return why;
  for (std::uint32_t slot = 0; slot < shape.slot_process.size(); ++slot) {
    const ProcessId process = shape.slot_process[slot];
    if (slot_of_.size() <= process) slot_of_.resize(process + 1, kNone);
    if (slot_of_[process] != kNone) return "several processes have one name";
    slot_of_[process] = slot;
  }
  for (const CodeId condition : sight_.conditions) {
    Footprint looked_at;
    looked_at.add_code(network_.code(condition), network_.variable_count());
    seen_variables_.unite(looked_at.reads);
  }
  for (const LabelId label : sight_.labels) seen_labels_.add(label);
  for (const ProcessId process : sight_.processes) {
    if (process < slot_of_.size() && slot_of_[process] != kNone) seen_slots_.add(slot_of_[process]);
  }
  if (sight_.annotations) seen_variables_.unite(futures_.wanted_variables());
  prospects_.resize(shape.slot_process.size());
  return std::nullopt;
}

void PartialOrder::refresh() {
  if (version_ == layout_.version() && !fields_.empty()) return;
  require_growth();
  version_ = layout_.version();
  fields_.clear();
  for (std::size_t slot = 0; slot < prospects_.size(); ++slot) fields_.push_back(layout_.slot_field(shape_, slot));
  seen_bits_.assign(layout_.words(), 0);
  seen_variables_.for_each([&](std::size_t variable) {
    const Field field = layout_.value_field(shape_, variable);
    seen_bits_[field.word] |= field.mask() << field.shift;
  });
}

bool PartialOrder::select(const std::uint64_t* record, SuccessorBuffer& out, std::size_t first) {
  if (layout_.shape_of(record) != shape_) return false;
  refresh();
  if (out.size() - first < 2) return false;
  thread_local Work work;
  if (!look(work, record, out, first)) return false;
  std::optional<SlotSet> best;
  std::size_t fewest = work.takers.size();
  for (std::uint32_t start = 0; start < fields_.size() && fewest > 1; ++start) {
    SlotSet gathered;
    if (!work.movers.has(start) || !gather(work, start, gathered)) continue;
    std::size_t count = 0;
    bool seen = false;
    for (std::size_t step = 0; step < work.takers.size(); ++step) {
      if (!gathered.includes(work.takers[step])) continue;
      ++count;
      seen = seen || work.seen[step] != 0;
    }
    if (seen || count == 0 || count >= fewest) continue;
    fewest = count;
    best = gathered;
  }
  if (!best) return false;
  keep(out, first, layout_.words(), work, *best);
  return true;
}

// False if all steps are needed.
bool PartialOrder::look(Work& work, const std::uint64_t* record, const SuccessorBuffer& out, std::size_t first) {
  const std::size_t slots = fields_.size();
  work.prospects.resize(slots);
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    const auto number = static_cast<std::size_t>(fields_[slot].get(record));
    std::vector<Prospect>& known = prospects_[slot];
    if (number >= known.size() || !known[number].known) {
      require_growth();
      if (number >= known.size()) known.resize(number + 1);
      known[number] = futures_.prospect(slot, layout_.local(shape_, slot, number));
    }
    work.prospects[slot] = &known[number];
  }
  work.takers.assign(out.size() - first, {});
  work.seen.assign(out.size() - first, 0);
  work.movers = {};
  work.hopeless = {};
  for (std::size_t step = 0; step < work.takers.size(); ++step) {
    const std::size_t at = first + step;
    const bool is_error = std::binary_search(out.errors.begin(), out.errors.end(), at);
    // all processes take part in what changes the composition itself
    if (!is_error && layout_.shape_of(&out.words[at * layout_.words()]) != shape_) return false;
    if (sight_.annotations) {
      const LabelId label = network_.labels.label_of(out.actions[at]);
      // whether it is enabled is read off the steps
      if (futures_.wants_any() || futures_.wanted_labels().has(label)) return false;
    }
    look_at_step(work, record, out, first, step);
  }
  return true;
}

void PartialOrder::look_at_step(Work& work, const std::uint64_t* record, const SuccessorBuffer& out, std::size_t first,
                                std::size_t step) {
  const ActionId action = out.actions[first + step];
  SlotSet& takers = work.takers[step];
  bool seen = seen_labels_.has(network_.labels.label_of(action));
  for (const ProcessId process : network_.labels.processes_of(action)) {
    const std::uint32_t slot = slot_of_[process];
    takers.add(slot);
    seen = seen || (sight_.annotations && work.prospects[slot]->wanted);
  }
  seen = seen || takers.meets(seen_slots_);
  const std::uint64_t* words = &out.words[(first + step) * layout_.words()];
  for (std::size_t i = 0; i < seen_bits_.size() && !seen; ++i) seen = ((words[i] ^ record[i]) & seen_bits_[i]) != 0;
  work.seen[step] = seen;
  work.movers.unite(takers);
  if (seen && takers.is_one()) work.hopeless.unite(takers);
}

bool PartialOrder::gather(Work& work, std::uint32_t start, SlotSet& gathered) {
  const auto add = [&](std::uint32_t slot) {
    if (gathered.has(slot)) return;
    gathered.add(slot);
    work.pending.push_back(slot);
  };
  const auto give_up = [&] {
    work.hopeless.add(start);
    return false;
  };
  work.pending.clear();
  add(start);
  while (!work.pending.empty()) {
    const std::uint32_t slot = work.pending.back();
    work.pending.pop_back();
    if (work.hopeless.has(slot)) return give_up();
    const std::uint32_t now = work.prospects[slot]->now;
    for (std::uint32_t other = 0; other < fields_.size(); ++other) {
      if (!gathered.has(other) && futures_.depend(now, work.prospects[other]->future)) add(other);
    }
    gather_partners(work, slot, gathered);
    if (gathered.includes(work.movers)) return give_up();
  }
  return true;
}

// A shared event that is possible needs all partners. One that is not stays so while one partner that does not offer it
// stays where it is.
void PartialOrder::gather_partners(Work& work, std::uint32_t slot, SlotSet& gathered) {
  const auto add = [&](std::uint32_t partner) {
    if (gathered.has(partner)) return;
    gathered.add(partner);
    work.pending.push_back(partner);
  };
  for (const std::uint32_t event : work.prospects[slot]->offers) {
    std::uint32_t missing = kNone;
    bool is_settled = false;
    for (const std::uint32_t partner : futures_.partners(event)) {
      const Prospect& other = *work.prospects[partner];
      if (other.offered.has(event)) continue;
      if (missing == kNone) missing = partner;
      is_settled = is_settled || gathered.has(partner) || !other.ever_offered.has(event);
    }
    if (is_settled) continue;
    if (missing != kNone) {
      add(missing);
    } else {
      for (const std::uint32_t partner : futures_.partners(event)) add(partner);
    }
  }
}

void PartialOrder::keep(SuccessorBuffer& out, std::size_t first, std::size_t stride, const Work& work,
                        const SlotSet& chosen) {
  std::size_t kept = first;
  const auto errors = std::lower_bound(out.errors.begin(), out.errors.end(), first);
  auto error = errors;
  auto kept_error = errors;
  for (std::size_t i = first; i < out.size(); ++i) {
    const bool is_error = error != out.errors.end() && *error == i;
    if (is_error) ++error;
    if (!chosen.includes(work.takers[i - first])) continue;
    if (is_error) *kept_error++ = kept;
    if (kept != i) {
      std::copy_n(&out.words[i * stride], stride, &out.words[kept * stride]);
      out.actions[kept] = out.actions[i];
    }
    ++kept;
  }
  out.errors.erase(kept_error, out.errors.end());
  out.truncate(kept, stride);
}

}  // namespace fairlead
