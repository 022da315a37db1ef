// Plain steps of several: shared events.
#include <algorithm>

#include "steps/plain_steps.hpp"

namespace fairlead {

// The number of the event that a resolution speaks of; kNone if it is not always the same processes that take part.
std::uint32_t PlainSteps::event_number(Table& table, const Resolution& resolution, LabelId label) {
  const std::uint64_t key = std::uint64_t{resolution.node} << 32 | label;
  if (const auto known = table.event_of.find(key); known != table.event_of.end()) return known->second;
  const Shape& shape = network_.shape(shape_);
  std::vector<ProcessId> processes;
  std::size_t leader = 0;
  const auto shared_by = [&](std::size_t group) {
    return resolution.groups[group].empty() ? 0 : table.shared_by[resolution.groups[group][0]];
  };
  for (std::size_t group = 0; group < resolution.groups.size(); ++group) {
    if (shared_by(group) < shared_by(leader)) leader = group;
    for (const std::uint32_t slot : resolution.groups[group]) {
      if (shape.slot_process[slot] != shape.slot_process[resolution.groups[group][0]]) return kNone;
    }
    if (!resolution.groups[group].empty()) processes.push_back(shape.slot_process[resolution.groups[group][0]]);
  }
  std::ranges::sort(processes);
  processes.erase(std::ranges::unique(processes).begin(), processes.end());
  Labels& labels = network_.labels;
  Event event{labels.action(resolution.hidden ? labels.hidden(label, processes) : label, processes),
              resolution.groups[leader],
              {},
              {}};
  for (std::size_t group = 0; group < resolution.groups.size(); ++group) {
    if (group != leader) event.groups.push_back(resolution.groups[group]);
  }
  if (event.leaders.size() == 1 &&
      std::ranges::all_of(event.groups, [](const auto& group) { return group.size() == 1; })) {
    for (const auto& group : event.groups) event.others.push_back(group[0]);
    std::ranges::sort(event.others);
    event.groups.clear();
  }
  const auto number = static_cast<std::uint32_t>(table.events.size());
  table.event_of.emplace(key, number);
  table.events.push_back(std::move(event));
  return number;
}

const PlainSteps::Offer* PlainSteps::offer_of(const Table& table, const Local& local, std::uint32_t event) {
  const Offer* first = table.offers.data() + local.first_offer;
  const Offer* last = first + local.offer_count;
  if (local.offer_count > 8) {
    first = std::lower_bound(first, last, event, [](const Offer& offer, std::uint32_t e) { return offer.event < e; });
    return first != last && first->event == event ? first : nullptr;
  }
  for (; first != last; ++first) {
    if (first->event == event) return first;
  }
  return nullptr;
}

// The events that a slot leads, if all others can take part.
bool PlainSteps::joints(Table& table, std::uint32_t slot) {
  const Local& local = *locals_[slot];
  for (std::uint32_t i = local.first_led; i < local.first_led + local.led_count; ++i) {
    const Offer& offer = table.offers[table.led[i]];
    const Event& event = table.events[offer.event];
    if (!event.groups.empty()) {
      if (find_choices(table, event, slot, offer) && !combinations(table, event)) return false;
      continue;
    }
    met_.clear();
    for (const std::uint32_t other : event.others) {
      const Offer* found = offer_of(table, *locals_[other], offer.event);
      if (found == nullptr) break;
      met_.push_back(found);
    }
    if (met_.size() == event.others.size() && !joint(table, event, slot, offer)) return false;
  }
  return true;
}

// The steps of an event whose partners are one slot each, and all can; what the others offer is in met_.
bool PlainSteps::joint(Table& table, const Event& event, std::uint32_t slot, const Offer& leading) {
  const auto is_simple = [&](const Offer& offer) {
    const Move& move = table.moves[offer.first_move];
    return offer.move_count == 1 && move.flip < kLeastSpecial && move.store_count == 0;
  };
  bool simple = is_simple(leading);
  for (const Offer* offer : met_) simple = simple && is_simple(*offer);
  if (!simple) return find_choices(table, event, slot, leading) && combinations(table, event);
  std::uint64_t* words = new_record(event.action);
  const auto flip = [&](std::uint32_t part, const Offer& offer) {
    const Field field = table.slots[part].field;
    words[field.word] ^= std::uint64_t{table.moves[offer.first_move].flip} << field.shift;
  };
  flip(slot, leading);
  for (std::size_t k = 0; k < met_.size(); ++k) flip(event.others[k], *met_[k]);
  return true;
}

bool PlainSteps::find_choices(const Table& table, const Event& event, std::uint32_t slot, const Offer& leading) {
  const std::size_t components = 1 + event.others.size() + event.groups.size();
  if (choices_.size() < components) choices_.resize(components);
  for (std::size_t k = 0; k < components; ++k) choices_[k].clear();
  chosen_.assign(components, 0);
  const auto add = [&](std::size_t component, std::uint32_t part, const Offer& offer) {
    for (std::uint32_t i = 0; i < offer.move_count; ++i) choices_[component].push_back({part, offer.first_move + i});
  };
  const auto ask = [&](std::size_t component, std::uint32_t part) {
    const Offer* found = offer_of(table, *locals_[part], leading.event);
    if (found != nullptr) add(component, part, *found);
  };
  add(0, slot, leading);
  std::size_t component = 1;
  for (const std::uint32_t other : event.others) ask(component++, other);
  for (const auto& group : event.groups) {
    for (const std::uint32_t part : group) ask(component, part);
    if (choices_[component++].empty()) return false;
  }
  return true;
}

// Every choice of one move of each component that takes part.
bool PlainSteps::combinations(Table& table, const Event& event) {
  const std::size_t components = chosen_.size();
  for (;;) {
    parts_.clear();
    for (std::size_t k = 0; k < components; ++k) {
      const Choice& choice = choices_[k][chosen_[k]];
      parts_.push_back(Part{choice.slot, choice.move});
    }
    if (!emit(table, event.action)) return false;
    std::size_t digit = components;
    while (digit-- > 0) {
      if (++chosen_[digit] < choices_[digit].size()) break;
      chosen_[digit] = 0;
    }
    if (digit == static_cast<std::size_t>(-1)) return true;
  }
}

}  // namespace fairlead
