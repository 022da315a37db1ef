// Plain steps that end something in a sequence, and those that are atomic.
#include <algorithm>

#include "steps/plain_steps.hpp"

namespace fairlead {

// ---------------------------------------------------------------- atomic steps

// While an atomic process can move, only atomic ones do. What the others could do need not be known then, unless finding it
// out may fail; and priorities would have to be asked first.
bool PlainSteps::can_begin_with_atomic() const {
  if (network_.shape(shape_).has_priorities) return false;
  return std::ranges::all_of(locals_, [](const Local* local) {
    return local->is(kIsAtomic) || (local->memo_count == 0 && local->half_count == 0);
  });
}

bool PlainSteps::expand_atomic(Table& table) {
  for (std::uint32_t slot = 0; slot < locals_.size(); ++slot) {
    if (locals_[slot]->is(kIsAtomic) && !own_and_singles(table, slot)) return false;
  }
  return true;
}

// ---------------------------------------------------------------- ends

// Where something can end in several ways, it depends on what is around it which of them count.
bool PlainSteps::find_endings(const Table& table) {
  const auto can_end = [&](std::uint32_t slot) { return locals_[slot]->is(kCanEnd); };
  const auto ends_plainly = [&](std::uint32_t slot) { return locals_[slot]->end_edge != kNone; };
  const std::span<const Ending> endings = table.skeleton.endings();
  for (std::uint32_t number = 0; number < endings.size(); ++number) {
    const Ending& ending = endings[number];
    std::uint32_t found = kNone;
    for (std::uint32_t i = 0; i < ending.alternatives.size(); ++i) {
      const std::vector<std::uint32_t>& slots = ending.alternatives[i];
      if (!std::ranges::all_of(slots, can_end)) continue;
      const bool is_only_one = found == kNone && ending.sequel != kNone && !slots.empty();
      if (!is_only_one || !std::ranges::all_of(slots, ends_plainly)) return false;
      found = i;
    }
    if (found != kNone) endings_.push_back({number, found, ending.last_slot});
  }
  return true;
}

// The first part of a sequel ends, and what follows begins.
bool PlainSteps::end(Table& table, const EndingNow& now) {
  distinct_ = false;
  const Ending& ending = table.skeleton.endings()[now.ending];
  const std::vector<std::uint32_t>& slots = ending.alternatives[now.alternative];
  const Shape& shape = network_.shape(shape_);
  if (table.end_steps.empty()) {
    for (const Ending& each : table.skeleton.endings()) table.end_steps.emplace_back(each.alternatives.size());
  }
  EndStep& step = table.end_steps[now.ending][now.alternative];
  if (step.action == kNone) {
    std::vector<ProcessId> processes;
    for (const std::uint32_t slot : slots) processes.push_back(shape.slot_process[slot]);
    std::ranges::sort(processes);
    processes.erase(std::ranges::unique(processes).begin(), processes.end());
    step.action = network_.labels.action(shape.nodes[ending.sequel].op->ending, processes);
  }
  std::uint32_t plan = kNone;
  if (may_plan(table)) {
    if (step.plan == kNone && may_remember()) {
      looked_at_.clear();
      for (const std::uint32_t slot : slots) looked_at_.push_back(table.slots[slot].field);
      step.plan = table.plans.new_step(looked_at_);
    }
    plan = step.plan;
  }
  if (plan != kNone && follow_plan(table, plan, step.action) != nullptr) return true;
  moved_.clear();
  for (const std::uint32_t slot : slots) moved_.push_back({slot, locals_[slot]->end_edge, kTerminatedLocal});
  stored_.clear();
  layout_.unpack(record_, unpacked_);
  return append_anew(table, {step.action, moved_, plan, ending.sequel});
}

}  // namespace fairlead
