// How the slots of a shape work together: who takes part in a shared event, which events are hidden, what ends together.
#pragma once

#include "program/shapes.hpp"

namespace fairlead {

// What becomes of an event that a slot offers.
struct Resolution {
  bool known = true;  // false: nodes are combined in a way that is left to the general way
  bool blocked = false;  // it is in no alphabet on the side of the slot: it never happens
  std::uint32_t node = kNone;  // where it is shared; kNone if it is a step of the slot alone
  // the slots of each component that takes part, one of each; the first one leads
  std::vector<std::vector<std::uint32_t>> groups;
  bool hidden = false;  // it is internal in the end
  bool interrupts = false;  // it is a visible step of a handler, so that the shape changes
};

// A way in which the first part of a sequel, or all, may end: all slots of one of the sets end together.
struct Ending {
  std::uint32_t sequel = kNone;  // its node; kNone: all ends
  std::vector<std::vector<std::uint32_t>> alternatives;  // an empty one: it is not known which slots
  std::uint32_t last_slot = kNone;  // of those in the first part that run
};

// Of one shape. Plain steps can be used if it is_plain(): it has parallel nodes, sequels, interrupts and hidden events, and
// perhaps priorities at the root of a flat shape.
class Skeleton {
 public:
  explicit Skeleton(const Shape& shape);

  [[nodiscard]] bool is_plain() const { return is_plain_; }
  // Whether what is in a slot runs (and does not just wait for another to end).
  [[nodiscard]] bool runs(std::uint32_t slot) const { return node_of_[slot] != kNone; }
  [[nodiscard]] bool is_handler(std::uint32_t slot) const { return is_handler_[slot] != 0; }
  // Whether an event of a slot may need others.
  [[nodiscard]] bool may_share(std::uint32_t slot) const { return may_share_[slot] != 0; }
  // Whether a label of a step of the slot alone is hidden.
  [[nodiscard]] bool hides(std::uint32_t slot, LabelId label) const;
  // An event that does not synchronise is never shared.
  [[nodiscard]] Resolution resolve(std::uint32_t slot, LabelId label, bool synchronises) const;
  // How many events a slot may share with others.
  [[nodiscard]] std::uint32_t shared_count(std::uint32_t slot) const;
  // What can end: sequels before those around them, and in the order of their slots.
  [[nodiscard]] std::span<const Ending> endings() const { return endings_; }
  // Appends the interrupts that a step of a slot leaves as they are, since it is a step of the handler that is internal there.
  // `label` is that of an event.
  void add_left_open(std::uint32_t slot, bool is_internal, LabelId label, std::vector<std::uint32_t>& nodes) const {
    add_left_open_above(node_of_[slot], is_internal, label, nodes);
  }
  // The same for what a node does.
  void add_left_open_above(std::uint32_t node, bool is_internal, LabelId label,
                           std::vector<std::uint32_t>& nodes) const;

 private:
  using Alternatives = std::vector<std::vector<std::uint32_t>>;

  void visit(std::uint32_t node, bool in_handler);
  [[nodiscard]] std::uint32_t last_slot_of(std::uint32_t node) const;
  // The sets of slots that have to be at their ends for a node to be; none if it never is.
  Alternatives ends_of(std::uint32_t node);
  // The slots below a node that offer an event to it; false if this cannot be determined simply.
  bool gather(std::uint32_t node, LabelId label, std::vector<std::uint32_t>& slots) const;

  const Shape& shape_;
  bool is_plain_ = true;
  std::vector<std::uint32_t> parent_;  // by node
  std::vector<std::uint32_t> node_of_;  // by slot
  std::vector<std::uint8_t> is_handler_;
  std::vector<std::uint8_t> may_share_;
  std::vector<std::vector<const Operator*>> hiding_;  // by slot
  std::vector<Ending> endings_;
};

}  // namespace fairlead
