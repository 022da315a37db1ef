// The step relation of leaves side by side in groups, each of which looks at few parts of the state.
//
// A part is a variable or the local state of a slot. The steps of a group are learnt: for each combination of the parts that
// the group touches which occurs in a reachable state, its edges are tried once (as LTSmin does with the short vectors of
// PINS). So no range has to be known, and no step is missed. Groups are
//  - the edges of a slot that touch the same variables;
//  - the handshakes of two slots on a channel;
//  - a shared event: a product of relations, one for each slot, if nothing but local states matters to it;
//  - the joint end of all slots.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "program/footprint.hpp"
#include "symbolic/diagrams.hpp"

namespace fairlead {

// That a system cannot be put into groups, and why.
struct NotEncodable {
  std::string why;
};

// The steps of a group by one action.
struct ActionSteps {
  ActionId action = 0;
  KeptSet forward;
  KeptSet backward;
};

struct Group {
  enum class Kind : std::uint8_t { kOwn, kProbe, kHandshake, kShared, kProduct };
  Kind kind = Kind::kOwn;
  std::vector<std::uint32_t> slots;  // who takes part: the sender first, or in the order of the event's partners
  NumberSet reads;  // variables
  NumberSet writes;
  std::uint32_t channel = 0;  // of handshakes: of this channel, by messages of so many fields
  std::uint32_t fields = 0;
  LabelId label = kNone;  // of shared events

  bool is_new = true;  // nothing has been learnt since what it touches is known
  bool has_new_guard = true;

  // --- known as soon as there is an order of the levels
  Footing footing;
  Footing guard_footing;
  std::vector<std::uint32_t> items;  // what is touched, by level
  std::size_t top = 0;  // the first level that is touched
  KeptSet guard;  // the local states of the slots in which they have an edge of the group
  KeptSet seen;  // the combinations whose steps are known
  std::vector<ActionSteps> steps;
  KeptSet forward;  // all of them
  KeptSet backward;
};

class Groups {
 public:
  Groups(Network& network, Diagrams& diagrams) : network_(network), diagrams_(diagrams) {}

  // Takes an initial configuration; throws NotEncodable.
  void begin(const Unpacked& initial);
  // The parts of a state: variables first, then slots. How many, and which belong together in the groups that are known.
  [[nodiscard]] std::size_t item_count() const { return network_.variable_count() + slots_; }
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> related_items() const;
  // Which part is at each level.
  void set_order(std::vector<std::uint32_t> order);
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] std::size_t level_of(std::size_t item) const { return level_of_[item]; }
  [[nodiscard]] std::size_t slot_item(std::size_t slot) const { return network_.variable_count() + slot; }
  [[nodiscard]] std::uint32_t slot_count() const { return slots_; }

  // Takes in the local states of a set; whether there are new ones. Throws NotEncodable.
  bool meet_locals(Diagram states);
  // The same of one state, even if there is no order yet; and the states after it.
  bool meet_locals(const Unpacked& state);
  std::vector<Unpacked> successors(const Unpacked& state);
  // Tries the edges of a group in the combinations of a set, whose vectors begin at a level, that are new; whether there
  // are new steps. Throws NotEncodable and ModelFault.
  bool learn(Group& group, Diagram states, std::size_t level);
  [[nodiscard]] std::vector<Group>& groups() { return groups_; }

  [[nodiscard]] std::vector<std::uint32_t> vector_of(const Unpacked& state) const;
  [[nodiscard]] Unpacked state_of(std::span<const std::uint32_t> vector);
  [[nodiscard]] bool has_shape(const Unpacked& state) const;
  // The states of a set in which the whole has ended.
  Diagram ended(Diagram states);
  // A footing that reads some items; the items by level.
  Footing reading(std::vector<std::uint32_t>& items);
  // The value of an expression for the items that were given to reading().
  std::int32_t value(CodeId expression, std::span<const std::uint32_t> items, std::span<const std::uint32_t> values);
  [[nodiscard]] Network& network() { return network_; }

 private:
  struct Half {
    std::uint32_t edge;
    std::uint32_t channel;
    std::uint32_t fields;
    bool sends;
  };
  // What a slot offers for a shared event.
  struct Offer {
    LocalId local;
    std::uint32_t edge;
    LocalId target;  // if that is all that it does
  };
  struct OwnEdge {
    std::uint32_t edge;
    std::uint32_t group;
  };
  struct Met {
    std::vector<OwnEdge> own;
    std::vector<Half> halves;
    std::vector<std::pair<LabelId, std::uint32_t>> offers;  // label, edge
  };
  struct SlotHalves {  // of a slot on a channel
    std::uint32_t slot;
    NumberSet reads;
    NumberSet writes;
    std::vector<LocalId> locals;
  };
  struct Channel {
    std::vector<SlotHalves> senders;
    std::vector<SlotHalves> receivers;
  };
  struct Event {
    std::vector<std::uint32_t> partners;  // slots
    std::vector<std::vector<Offer>> offers;  // of each
    bool is_product = true;
    NumberSet reads;
    NumberSet writes;
    std::uint32_t group = kNone;
  };

  bool meet(std::uint32_t slot, LocalId local);
  void meet_edge(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t edge, Met& met);
  void meet_own(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t edge, Met& met, bool probes);
  void meet_half(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t edge, Met& met);
  void meet_offer(std::uint32_t slot, LocalId local, const LocalState& state, std::uint32_t edge, Met& met);
  void meet_end(std::uint32_t slot, LocalId local, const LocalEdge& edge);
  void pair_up(std::uint32_t channel, std::uint32_t fields, const SlotHalves& sender, const SlotHalves& receiver);
  // Adds what code touches; whether it can fail.
  bool add_code(NumberSet& reads, NumberSet& writes, CodeId code, std::span<const std::int32_t> parameters);
  bool add_edge_code(NumberSet& reads, NumberSet& writes, const LocalState& state, const LocalEdge& edge);
  Event& event_of(LabelId label);
  void finish_events();
  void finish_end();
  using Moves = std::vector<std::pair<LocalId, LocalId>>;
  // The product of what each slot of a group does.
  void set_product(Group& group, std::vector<Moves> moves, LabelId label);
  Diagram product_of(const Group& group, std::span<const Moves> moves);
  std::uint32_t add_group(Group group);
  // Makes groups ready that touch other parts now, or have other guards.
  void prepare();
  void lay_out(Group& group);
  void add_to_guard(std::uint32_t group, std::size_t part, LocalId local);
  [[nodiscard]] bool is_unfit(LocalId local);
  [[nodiscard]] std::vector<ProcessId> processes_of(std::span<const std::uint32_t> slots) const;

  // --- learning
  struct Found {
    std::vector<std::uint32_t> forward;
    std::vector<std::uint32_t> backward;
  };
  void try_edges(Group& group);
  void try_own(Group& group, std::uint32_t slot, std::uint32_t edge);
  void try_handshakes(Group& group);
  void try_handshake(Group& group, const LocalState& sender, LocalEdge& sent, const LocalState& receiver,
                     LocalEdge& received);
  void try_shared(Group& group);
  void try_combination(Group& group, std::span<const std::uint32_t> edges);
  void probe(std::uint32_t slot, LocalEdge& edge);
  void enter(LocalId target);
  ActionId seen(ActionId action);
  struct Moved {
    std::uint32_t slot;
    LocalId target;
  };
  void found(Group& group, ActionId action, std::span<const Moved> moved);

  Network& network_;
  Diagrams& diagrams_;
  ShapeId shape_ = 0;
  std::uint32_t slots_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> level_of_;
  std::uint32_t footings_ = 0;
  std::vector<Group> groups_;
  std::map<std::pair<std::pair<std::uint32_t, bool>, std::pair<NumberSet, NumberSet>>, std::uint32_t> own_groups_;
  std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>, std::uint32_t>
      pair_groups_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;  // by number and fields
  std::map<LabelId, Event> events_;
  std::vector<std::unordered_map<LocalId, Met>> met_;  // by slot
  std::vector<std::vector<LocalId>> ends_;  // by slot: where it can end
  std::uint32_t end_group_ = kNone;
  // by group and slot of it: where there are edges
  std::vector<std::vector<std::vector<LocalId>>> guards_;
  Scope scope_;
  Unpacked state_;  // the combination that is being tried
  std::vector<std::int32_t> message_;
  std::unordered_map<ActionId, Found> found_;
  std::vector<Unpacked>* after_ = nullptr;  // where steps of a single state lead, if that is asked for
};

}  // namespace fairlead
