// What the processes of a flat composition can do now and may ever do, by their texts alone: guards are taken to hold.
//
// From the local states of the initial configurations on, the local states of each slot are followed along their edges.
// Where the next one depends on shared variables or on a message, or where there are very many, the position stands for
// all local states at it, whatever their parameters are.
#pragma once

#include <map>

#include "program/footprint.hpp"
#include "program/layout.hpp"

namespace fairlead {

// What a local state of a slot can do.
struct Prospect {
  bool known = false;
  bool wanted = false;  // the process may some time offer an event with a fairness annotation
  std::uint32_t now = 0;  // footprint of its own edges
  std::uint32_t future = 0;  // footprint of all edges from here on
  std::vector<std::uint32_t> offers;  // the shared events of its own edges
  NumberSet offered;  // the same as a set
  NumberSet ever_offered;  // those of all edges from here on
};

class Futures {
 public:
  explicit Futures(Network& network) : network_(network) {}

  // Follows the local states from some configurations on; tells why it cannot, if so.
  std::optional<std::string> follow(std::span<const Unpacked> initial);
  // What a local state of a slot can do, be it one that was not met above.
  [[nodiscard]] Prospect prospect(std::uint32_t slot, LocalId local);
  // Whether the edges of a local state with one footprint depend on those of a process with another as its future.
  [[nodiscard]] bool depend(std::uint32_t now, std::uint32_t future) const { return depends_[now][future] != 0; }

  // The slots that must take part in a shared event. Termination is one, of all slots.
  [[nodiscard]] const std::vector<std::uint32_t>& partners(std::uint32_t event) const { return events_[event]; }
  // Whether some code may go wrong when it is run.
  [[nodiscard]] bool can_fail() const { return can_fail_; }
  // The labels with annotations, unless it is not known which they are; and what decides whether these are enabled.
  [[nodiscard]] bool wants_any() const { return wants_any_; }
  [[nodiscard]] const NumberSet& wanted_labels() const { return wanted_labels_; }
  [[nodiscard]] const NumberSet& wanted_variables() const { return wanted_variables_; }

 private:
  // A local state, or a position with any parameters.
  struct Node {
    bool is_local;
    std::uint32_t number;
    std::vector<std::uint32_t> next;
    Footprint own;
    Footprint future;
    NumberSet offers;
    NumberSet ever_offers;
    // of events that are no internal steps: the labels, and the variables in their guards
    NumberSet labels;
    bool any_label = false;
    bool wanted = false;
    NumberSet guards;
  };
  struct Slot {
    std::vector<Node> nodes;
    std::unordered_map<LocalId, std::uint32_t> of_local;
    std::unordered_map<std::uint32_t, std::uint32_t> of_position;
    NumberSet events;  // that it has in its alphabet
  };
  struct Unsuitable {
    std::string why;
  };

  void find_events(const Shape& shape);
  void follow_slot(std::uint32_t slot, std::span<const Unpacked> initial);
  std::uint32_t local_node(Slot& slot, LocalId local);
  std::uint32_t position_node(Slot& slot, std::uint32_t position);
  void expand_local(std::uint32_t slot, std::uint32_t node);
  void expand_position(std::uint32_t slot, std::uint32_t node);
  // What an edge does of itself. The codes are those of a local state, or of the text.
  void add_edge(const Slot& slot, Node& node, const Edge& edge, CodeId guard, CodeId update, LabelId label,
                bool target_is_fixed, std::span<const std::int32_t> parameters, bool knows_parameters);
  void add_handshake(Node& node, const Edge& edge, std::span<const std::int32_t> parameters, bool knows_parameters);
  void add_code(Footprint& footprint, CodeId code);
  void find_wanted();
  static void close(Slot& slot);
  std::uint32_t now_number(const Footprint& footprint);
  std::uint32_t future_number(const Footprint& footprint);

  Network& network_;
  std::vector<Slot> slots_;
  std::vector<std::vector<std::uint32_t>> events_;
  std::unordered_map<LabelId, std::uint32_t> event_of_;
  std::uint32_t termination_ = kNone;  // the number of that event, if it is one
  bool can_fail_ = false;
  bool wants_any_ = false;
  NumberSet wanted_labels_;
  NumberSet wanted_variables_;
  std::map<Footprint, std::uint32_t> now_numbers_;
  std::map<Footprint, std::uint32_t> future_numbers_;
  std::vector<const Footprint*> nows_;
  std::vector<const Footprint*> futures_;
  std::vector<std::vector<std::uint8_t>> depends_;  // by now, then by future
};

}  // namespace fairlead
