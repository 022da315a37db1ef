// Partial order reduction: which of the steps of a state are enough.
//
// Processes are gathered until what the others may ever do does not depend on what the gathered ones can do now, nor the
// other way round. The steps in which only gathered processes take part are then persistent: whatever the others do first,
// these steps stay possible, lead to the same, and no other step of theirs becomes possible. If a question sees some steps,
// none of the chosen ones may be seen. What must not be put off for ever is the concern of `Proviso`.
// docs/explanation/reduction.md has the proofs.
#pragma once

#include "memory/slot_set.hpp"
#include "program/futures.hpp"
#include "steps/successors.hpp"

namespace fairlead {

// What a question can tell apart.
struct Sight {
  std::vector<CodeId> conditions;  // on the shared variables
  std::vector<LabelId> labels;  // of steps
  std::vector<ProcessId> processes;  // whose steps are seen
  bool annotations = false;  // whether annotated events are enabled, and taken
  bool first_step = false;  // what is the first step
};

class PartialOrder {
 public:
  PartialOrder(Network& network, Layout& layout, Sight sight)
      : network_(network), layout_(layout), sight_(std::move(sight)), futures_(network) {}

  // Looks at the processes of the initial configurations; tells why nothing can be reduced, if so.
  std::optional<std::string> prepare(std::span<const Unpacked> initial);
  [[nodiscard]] bool can_fail() const { return futures_.can_fail(); }
  // Whether a question sees which step is the first.
  [[nodiscard]] bool sees_first_step() const { return sight_.first_step; }

  // Leaves only some of the successors of a packed state that were appended from `first` on, if they are enough. Whether it
  // did. Several threads can call it at the same time.
  bool select(const std::uint64_t* record, SuccessorBuffer& out, std::size_t first);

 private:
  // Of the state whose steps are chosen; each thread has its own.
  struct Work {
    std::vector<const Prospect*> prospects;  // by slot
    std::vector<SlotSet> takers;  // by step
    std::vector<std::uint8_t> seen;
    SlotSet movers;  // that take part in some step
    SlotSet hopeless;  // that no smaller set of steps goes with
    std::vector<std::uint32_t> pending;
  };

  void refresh();
  bool look(Work& work, const std::uint64_t* record, const SuccessorBuffer& out, std::size_t first);
  void look_at_step(Work& work, const std::uint64_t* record, const SuccessorBuffer& out, std::size_t first,
                    std::size_t step);
  // Gathers from one slot on; false if there is no use in it.
  bool gather(Work& work, std::uint32_t start, SlotSet& gathered);
  void gather_partners(Work& work, std::uint32_t slot, SlotSet& gathered);
  static void keep(SuccessorBuffer& out, std::size_t first, std::size_t stride, const Work& work,
                   const SlotSet& chosen);

  Network& network_;
  Layout& layout_;
  Sight sight_;
  Futures futures_;
  ShapeId shape_ = 0;
  std::vector<std::uint32_t> slot_of_;  // by process
  NumberSet seen_labels_;
  NumberSet seen_variables_;
  SlotSet seen_slots_;
  std::uint64_t version_ = ~std::uint64_t{0};  // of the layout, by which these are:
  std::vector<Field> fields_;  // of the slots
  std::vector<std::uint64_t> seen_bits_;  // of the variables that are seen, in a packed state
  std::vector<std::vector<Prospect>> prospects_;  // by slot, then by the number of a local state in it
};

}  // namespace fairlead
