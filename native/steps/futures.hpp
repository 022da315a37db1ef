// What the processes of a flat composition may ever do, by their texts alone: guards are taken to hold.
//
// From the local states of the initial configurations on, the local states of each slot are followed along their edges.
// Where the next one depends on shared variables or on a message, or where there are very many, a node stands for all local
// states at a position that have some parameters, or for all of them.
#pragma once

#include "program/layout.hpp"
#include "steps/edge_summary.hpp"

namespace fairlead {

// An edge of a node, or a way in which its evaluation can fail. Such a failure leads nowhere, but must not be missed.
struct StaticEdge {
  enum class Role : std::uint8_t {
    kAlone,  // a step by itself
    kShared,  // a step with the partners of an event
    kUnclear,  // one or the other: which event it is depends on the variables
    kSends,  // half a handshake
    kReceives,
    kFailingGuard,
    kFailingEffect,  // of the edge `base`
  };
  std::uint32_t slot = 0;
  std::uint32_t node = 0;
  std::uint32_t target = kNone;  // a node; kNone if nothing comes after it
  std::uint32_t number = 0;  // in the text of the position
  Role role = Role::kAlone;
  std::uint32_t event = kNone;  // if it is shared
  std::uint32_t channel = kNone;  // of half a handshake; kNone if it is not known
  std::uint32_t base = kNone;
  EdgeSummary summary;
};

// A local state of a slot, or all those at a position with some parameters.
struct StaticNode {
  std::uint32_t slot = 0;
  LocalId local = kNone;  // if it is one
  std::uint32_t position = 0;
  std::vector<std::int32_t> parameters;
  std::vector<std::uint8_t> known;  // which of these; if it is not one local state
  std::uint32_t first_edge = 0;
  std::uint32_t edge_count = 0;
  bool wanted = false;  // the process may from here on some time offer an event with a fairness annotation
  // of events that are not internal steps: the labels, and the variables that decide whether they are possible
  NumberSet labels;
  bool any_label = false;
  NumberSet guards;
};

class Futures {
 public:
  explicit Futures(Network& network) : network_(network) {}

  // Follows the local states from some configurations on; tells why it cannot, if so.
  std::optional<std::string> follow(std::span<const Unpacked> initial);

  [[nodiscard]] const std::vector<StaticEdge>& edges() const { return edges_; }
  [[nodiscard]] const StaticNode& node(std::uint32_t number) const { return nodes_[number]; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  // The node that stands for a local state of a slot, be it one that was not met above.
  [[nodiscard]] std::uint32_t node_of(std::uint32_t slot, LocalId local) const;
  // Whether a local state can belong to both of two nodes of a slot.
  [[nodiscard]] bool overlap(std::uint32_t one, std::uint32_t other) const;
  // The first edge of each slot, and behind those of the last.
  [[nodiscard]] std::uint32_t first_edge(std::uint32_t slot) const { return slots_[slot].first_edge; }

  // The slots that must take part in a shared event. Termination is one, of all slots.
  [[nodiscard]] const std::vector<std::uint32_t>& partners(std::uint32_t event) const { return events_[event]; }
  [[nodiscard]] std::size_t event_count() const { return events_.size(); }
  // Whether code may fail when it is run, or a process may reach ERROR.
  [[nodiscard]] bool can_fail() const { return can_fail_; }
  // The labels with annotations, unless it is not known which they are; and what decides whether these are enabled.
  [[nodiscard]] bool wants_any() const { return wants_any_; }
  [[nodiscard]] const NumberSet& wanted_labels() const { return wanted_labels_; }
  [[nodiscard]] const NumberSet& wanted_variables() const { return wanted_variables_; }

 private:
  struct Slot {
    std::uint32_t first_node = 0;
    std::uint32_t first_edge = 0;
    std::unordered_map<LocalId, std::uint32_t> of_local;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_position;  // nodes that are not a local state
    std::size_t node_count = 0;
    NumberSet events;  // that it has in its alphabet
  };
  struct Unsuitable {
    std::string why;
  };

  void find_events(const Shape& shape);
  void follow_slot(std::uint32_t slot, std::span<const Unpacked> initial);
  std::uint32_t local_node(std::uint32_t slot, LocalId local);
  std::uint32_t partial_node(std::uint32_t slot, std::uint32_t position, std::vector<std::int32_t> parameters,
                             std::vector<std::uint8_t> known);
  void expand(std::uint32_t slot, std::uint32_t node);
  void add_edge(std::uint32_t slot, std::uint32_t node, const Edge& edge, std::uint32_t number);
  void add_offer(std::uint32_t node, StaticEdge& found, const Edge& edge);
  void add_handshake(std::uint32_t node, StaticEdge& found, const Edge& edge);
  void add_failures(const StaticEdge& edge, std::uint32_t base);
  std::uint32_t target_node(std::uint32_t slot, std::uint32_t node, const Edge& edge);
  // Code with the parameters of a node filled in.
  [[nodiscard]] std::vector<std::int32_t> filled_in(std::uint32_t node, CodeId code) const;
  // The values of expressions where they are known, and which are.
  [[nodiscard]] std::pair<std::vector<std::int32_t>, std::vector<std::uint8_t>> values(
      std::uint32_t node, std::span<const CodeId> codes) const;
  void find_wanted();

  Network& network_;
  std::vector<Slot> slots_;  // and one behind the last
  std::vector<StaticNode> nodes_;
  std::vector<StaticEdge> edges_;
  std::vector<std::vector<std::uint32_t>> events_;
  std::unordered_map<LabelId, std::uint32_t> event_of_;
  std::uint32_t termination_ = kNone;  // the number of that event, if it is one
  bool can_fail_ = false;
  bool wants_any_ = false;
  NumberSet wanted_labels_;
  NumberSet wanted_variables_;
};

}  // namespace fairlead
