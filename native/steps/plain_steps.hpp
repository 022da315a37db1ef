// The step relation of leaves side by side whose edges are plain: steps of one leaf, handshakes, and steps of several with a
// label and targets that are always the same, without a guard and with updates that store constants or nothing. What a local state does in its slot is computed once, or once for all values on which it depends
// (step_memo.hpp); a step just flips some bits of the packed state.
#pragma once

#include "program/footprint.hpp"
#include "program/packed_condition.hpp"
#include "program/tree_builder.hpp"
#include "program/tree_edges.hpp"
#include "steps/plans.hpp"
#include "steps/skeleton.hpp"
#include "steps/step_memo.hpp"
#include "steps/successors.hpp"

namespace fairlead {

// The shapes that have edges which are not plain. It is shared by all threads, since the order of steps depends on it: a
// thread that finds another such shape leaves the state to one that works alone.
class DeclinedShapes {
 public:
  [[nodiscard]] bool is_declined(ShapeId shape) const { return shape < declined_.size() && declined_[shape] != 0; }
  void decline(ShapeId shape) {
    require_growth();
    if (declined_.size() <= shape) declined_.resize(shape + std::size_t{1}, 0);
    declined_[shape] = 1;
    in_order_.push_back(shape);
  }
  [[nodiscard]] std::size_t count() const { return in_order_.size(); }

  // --- checkpoints (checkpoint.cpp): the first `count` that were declined
  void save(CheckpointWriter& out, std::size_t count) const;
  void load(CheckpointReader& in, std::size_t count, std::size_t shapes);

 private:
  std::vector<std::uint8_t> declined_;
  std::vector<ShapeId> in_order_;
};

class PlainSteps {
 public:
  enum class Outcome {
    kDone,
    kUnfit,  // a successor does not fit into the layout (see misfit()); nothing that was appended counts
    kDeclined,  // the shape has edges that are not plain, or all may terminate; nothing was appended
  };

  // Code is run in the given scope; what it wrote is taken back.
  PlainSteps(Network& network, Layout& layout, DeclinedShapes& shapes, Scope& scope, TreeBuilder& builder,
             Budget& budget)
      : network_(network), layout_(layout), shapes_(shapes), scope_(scope), builder_(builder), budget_(budget) {}
  ~PlainSteps() { budget_.release(charged_); }
  PlainSteps(const PlainSteps&) = delete;
  PlainSteps& operator=(const PlainSteps&) = delete;

  // Appends the successors of a packed state, whatever the priorities of its shape. One that was expanded here `before` is
  // so again, even if its shape was declined since.
  Outcome expand(const std::uint64_t* record, ShapeId shape, SuccessorBuffer& out, bool before = false);

  [[nodiscard]] const Misfit& misfit() const { return misfit_; }
  // Whether the successors last appended are known to be different transitions.
  [[nodiscard]] bool distinct() const { return distinct_; }

 private:
  // What a leaf does in a step. `flip` are the bits of its slot that change; they are known once the target has a
  // number in the slot.
  struct Move {
    std::uint32_t edge;  // of the local state
    std::uint32_t leaf;  // of a tree
    LocalId target;
    std::uint32_t flip;
    ActionId action;  // if it is a step of its own
    std::uint32_t first_store;
    std::uint32_t store_count;
    CodeId guard = kNoCode;
    TestNumber test = kHolds;  // the guard as a chain of tests
    std::uint32_t first_change = kNone;  // of words, if it moves on and stores constants; kNone: not known yet
    std::uint32_t change_count = 0;
    std::uint32_t plan = kNone;  // the number of the step in Table::plans, if it changes the shape and was taken

    // Whether two do the same.
    [[nodiscard]] bool is_like(const Move& other) const {
      return leaf == other.leaf && target == other.target && flip == other.flip && action == other.action &&
             first_store == other.first_store && store_count == other.store_count && guard == other.guard;
    }
  };
  static constexpr std::uint32_t kUnknownFlip = kNone;
  static constexpr std::uint32_t kAnew = kNone - 1;  // the shape may change: all is packed again
  static constexpr std::uint32_t kLeastSpecial = kAnew;

  // A slot in which an edge is taken to a local state.
  struct Moved {
    std::uint32_t slot;
    std::uint32_t edge;
    LocalId target;
  };
  // What a leaf offers to others: its moves under a shared event.
  struct Offer {
    std::uint32_t event;
    std::uint32_t first_move;
    std::uint32_t move_count;
  };
  // What a local state in a slot is like.
  enum Trait : std::uint8_t {
    kForeign = 1,  // a tree whose steps are left to the general way
    kCanEnd = 2,  // it may terminate
    kAmbiguous = 4,  // different steps of its own may be the same transition
    kHasEnded = 8,  // it has terminated
    kIsAtomic = 16,  // all its steps are atomic, and steps of its own
  };
  // A local state in a slot. Its offers are sorted by event; those that the slot leads are listed as in the text.
  struct Local {
    bool known = false;
    std::uint8_t traits = 0;
    std::uint32_t number = 0;  // in the slot
    std::uint32_t end_edge = kNone;  // by which it terminates, if that is one, always enabled and does nothing else

    [[nodiscard]] bool is(Trait trait) const { return (traits & trait) != 0; }

    std::uint32_t first_single = 0;
    std::uint32_t single_count = 0;
    std::uint32_t first_offer = 0;
    std::uint32_t offer_count = 0;
    std::uint32_t first_led = 0;
    std::uint32_t led_count = 0;
    std::uint32_t first_memo = 0;  // where its own steps are found that run code
    std::uint32_t memo_count = 0;
    std::uint32_t first_half = 0;  // of handshakes
    std::uint32_t half_count = 0;
    std::uint64_t sends = 0;  // the channels of halves that send, as bits: several may share one
    std::uint64_t receives = 0;
    std::uint32_t first_meeting = 0;  // if it sends: those with the leaves in each slot
  };
  // Half a handshake: an edge that sends or receives on a channel.
  struct Half {
    std::uint32_t edge;
    std::uint32_t channel;
    std::uint32_t fields;
    bool sends;
  };
  struct Slot {
    Field field;
    std::vector<Local> locals;  // by their numbers in the slot
  };
  // An event of several slots: of each component that takes part, one slot. It is searched for in the offers of the component
  // that leads it; what the others offer is asked for.
  struct Event {
    ActionId action;
    std::vector<std::uint32_t> leaders;
    std::vector<std::uint32_t> others;  // if each of the other components is one slot
    std::vector<std::vector<std::uint32_t>> groups;  // else: the slots of each
  };
  // What is in a slot: the edges of a leaf, or those of a tree.
  struct Content {
    LocalId local;
    std::span<LocalEdge> edges;
    const TreeEdges* tree;  // none of a leaf

    [[nodiscard]] bool is_tree() const { return tree != nullptr; }
  };
  // The step by which something ends that is in a slot.
  struct EndStep {
    ActionId action = kNone;
    std::uint32_t plan = kNone;  // its number in Table::plans
  };
  struct Table {
    explicit Table(const Shape& shape) : skeleton(shape) {}

    Skeleton skeleton;
    bool distinct = true;  // each slot has a process of its own, so that its steps are no others'
    std::uint64_t version = 0;  // of the layout from which the fields of slots were taken
    std::vector<Slot> slots;
    std::vector<Event> events;
    std::unordered_map<std::uint64_t, std::uint32_t> event_of;  // by node and label
    std::vector<std::uint32_t> shared_by;  // by slot: how many events are shared with others
    std::vector<Move> moves;
    BoundTests tests;
    std::vector<WordChange> changes;
    std::vector<StepMemo> memos;
    std::vector<Half> halves;
    // for each local state that sends and each slot, by the local state there: the memo of their handshakes, kNone if they
    // have none, or kNotMet if they have not met
    std::vector<std::vector<std::uint32_t>> meetings;
    std::vector<Offer> offers;
    std::vector<std::uint32_t> led;  // offers
    Plans plans;
    std::size_t plan_bytes = 0;  // that are charged for them
    std::vector<std::vector<EndStep>> end_steps;  // of each ending of the skeleton, for each alternative
  };
  // Something that ends in this state: after the steps of which slot it is listed.
  struct EndingNow {
    std::uint32_t ending;
    std::uint32_t alternative;
    std::uint32_t last_slot;
  };
  // A step that changes the shape. The first part of a sequel ends by it, or it is what the slots do that move.
  struct Anew {
    ActionId action;
    std::span<const Moved> moved;
    std::uint32_t plan = kNone;  // where it is remembered, if it is
    std::uint32_t sequel = kNone;
  };
  struct Part {
    std::uint32_t slot;
    std::uint32_t move;
  };
  // The edges of a local state, by how their steps are found.
  struct SortedEdges {
    std::uint32_t end_count = 0;  // edges by which it terminates
    std::uint32_t end_edge = kNone;
    bool is_atomic = false;
    std::vector<Move> single;
    std::vector<std::pair<std::uint32_t, Move>> shared;  // with their events, in the order of these
    std::vector<std::uint32_t> led;  // events
    std::vector<std::uint32_t> remembered;  // numbers of edges
    std::vector<Half> halves;

    void share(std::uint32_t number, const Event& event, std::uint32_t slot, const Move& move);
    void add_single(const Move& move);
    // Whether different steps of the leaf by itself may be the same transition.
    [[nodiscard]] bool are_ambiguous() const;
  };
  // In a slot with more local states than this it is not remembered what the others do: they hardly come again.
  static constexpr std::uint32_t kRemembering = 1 << 12;
  // So many local states of a slot may have halves of handshakes. (Threads have tables of their own, but local states have
  // the same numbers for all: whether a shape is declined must not depend on the thread.)
  static constexpr std::uint32_t kMostMeeting = 1 << 10;
  static constexpr std::uint32_t kNotMet = kNone - 1;
  // What is remembered takes at most this, and a share of all memory that is in use.
  static constexpr std::uint64_t kFreeMemoBytes = std::uint64_t{1} << 18;
  static constexpr std::uint64_t kMemoShare = 8;

  Table& table(ShapeId shape);
  std::uint32_t event_number(Table& table, const Resolution& resolution, LabelId label);
  // Finds the local states of all slots; false if one of them is not plain.
  bool look(Table& table, ShapeId shape, const std::uint64_t* record);
  bool learn(Table& table, ShapeId shape, std::uint32_t slot, std::uint32_t number);
  // Nothing if not all of them are plain.
  std::optional<SortedEdges> sort_edges(Table& table, std::uint32_t slot, std::uint32_t number, const Content& content);
  // Adds an event or internal step; false if it is not plain.
  bool sort_edge(Table& table, std::uint32_t slot, const Content& content, std::uint32_t number, SortedEdges& found);
  void add_offers(Table& table, Local& local, const SortedEdges& edges);
  // Append the steps of a leaf by itself, and those it leads; false if one does not fit.
  bool singles(Table& table, std::uint32_t slot);
  bool single(Table& table, std::uint32_t slot, std::uint32_t number);
  // Finds out which bits a move changes that stores constants; false if they do not fit.
  bool find_changes(Table& table, std::uint32_t slot, Move& move);
  void rebind(Table& table, ShapeId shape);
  void see_values();
  // --- steps that run code (plain_code.cpp)
  // Whether the steps of an edge are found by running code.
  [[nodiscard]] bool runs_code(const LocalEdge& edge) const;
  // The half that an edge is, if all is plain: on a channel that is always the same, and nothing can go wrong with it while
  // nobody gives the other half.
  std::optional<Half> half_of(const Content& content, std::uint32_t edge);
  // Adds where it will be remembered what some edges of a local state do: together where they look at the same.
  void add_memos(Table& table, Local& local, const Content& content, std::span<const std::uint32_t> edges);
  void add_halves(Table& table, Local& local, std::span<const Half> halves);
  void add_memo(Table& table, StepMemo memo, bool is_useful);
  // Adds on what it depends what an edge does.
  void add_looked_at(NumberSet& variables, const Content& content, std::uint32_t edge);
  // The steps that are remembered, or are found now; false if one does not fit. `partner` receives, if there is one.
  bool remembered(Table& table, StepMemo& memo, std::uint32_t slot, std::uint32_t partner);
  // A memo has changed that took so much before.
  template <typename Memo>
  void recharge(Memo& memo, std::size_t before);
  bool own_steps(Table& table, std::uint32_t slot);
  bool handshakes(Table& table);
  std::uint32_t meeting(Table& table, std::uint32_t slot, std::uint32_t partner);
  // Run the code of edges; false if a step does not fit.
  bool find_steps(Table& table, const StepMemo& memo, std::uint32_t slot, std::uint32_t partner);
  bool find_own_step(Table& table, std::uint32_t slot, const Content& content, std::uint32_t edge);
  bool find_handshake(Table& table, std::uint32_t slot, std::uint32_t partner, const StepMemo::Edges& edges);
  // Adds a step that has been carried out: what became of leaves, and what was written.
  bool finish_step(Table& table, ActionId action, std::span<const Moved> moved);
  bool finish_anew(Table& table, std::size_t first, ActionId action, std::span<const Moved> moved);
  Content content_of(LocalId local);
  [[nodiscard]] Content content_in(std::uint32_t slot) {
    return content_of(layout_.local(shape_, slot, locals_[slot]->number));
  }
  // The parameters of the leaf that an edge is of.
  [[nodiscard]] std::span<const std::int32_t> parameters(const Content& content, std::uint32_t edge) const {
    return network_.parameters(content.is_tree() ? content.tree->origins[edge].local : content.local);
  }
  // An action of a slot alone, or of two that meet, as it is seen from outside.
  [[nodiscard]] ActionId seen(const Table& table, std::uint32_t slot, ActionId action);
  void append(const FoundSteps& found, std::uint32_t first, std::uint32_t count);
  bool set_value(std::uint64_t* words, std::size_t variable, std::int32_t value);
  void reject_value(std::size_t variable, std::int32_t value);
  bool expand_slots(Table& table);
  Outcome decline_state(std::size_t first);
  // The steps of a slot alone; false if one does not fit.
  bool own_and_singles(Table& table, std::uint32_t slot);
  // --- atomic steps, and ends (plain_ends.cpp)
  // Whether the atomic steps are all that has to be examined, should there be some.
  [[nodiscard]] bool can_begin_with_atomic() const;
  bool expand_atomic(Table& table);
  // Finds out what ends; false if that is left to the general way.
  bool find_endings(const Table& table);
  bool end(Table& table, const EndingNow& now);
  // Whether no action of the successors from `first` on comes twice, if that is easily told.
  [[nodiscard]] bool are_different(std::size_t first) const;
  bool joints(Table& table, std::uint32_t slot);
  bool joint(Table& table, const Event& event, std::uint32_t slot, const Offer& leading);
  bool combinations(Table& table, const Event& event);
  // Collects what the components can choose of; false if one of them cannot take part.
  bool find_choices(const Table& table, const Event& event, std::uint32_t slot, const Offer& leading);
  static const Offer* offer_of(const Table& table, const Local& local, std::uint32_t event);
  // Appends the step of parts_; false if it does not fit.
  bool emit(Table& table, ActionId action);
  bool find_flip(Table& table, const Part& part);
  // What is in a slot after an edge is taken to a local state, with the values as they are in values_; nothing if that
  // concerns more than the slot.
  std::optional<LocalId> in_place(const Moved& moved);
  // The number that a local state has in a slot, given now if there is room; kNone and a misfit if there is not.
  std::uint32_t number_in(std::uint32_t slot, LocalId content);
  bool emit_anew(Table& table, ActionId action);
  bool append_anew(Table& table, const Anew& step);
  // Finds where each slot, and each node of the shape, is in the tree of the configuration that is unpacked.
  void find_places();
  // Finds which leaves move, and what the step leaves undecided.
  void find_tree_step(const Table& table, const Anew& step);
  // --- plans
  [[nodiscard]] bool may_plan(const Table& table) const { return table.plans.is_useful() && !has_ended_; }
  [[nodiscard]] bool may_remember() const { return memo_bytes_ <= kFreeMemoBytes + budget_.used() / kMemoShare; }
  std::uint32_t plan_of_parts(Table& table);
  std::uint32_t plan_of_moved(Table& table, std::span<const Moved> moved);
  // Appends what a plan makes of the state; nothing if there is none.
  std::uint64_t* follow_plan(Table& table, std::uint32_t step, ActionId action);
  // The step has just been computed: all is as in unpacked_, and the variables in stored_ as the step has set them.
  void remember_plan(Table& table, std::uint32_t step);
  void recharge_plans(Table& table) {
    recharge(table.plans, table.plan_bytes);
    table.plan_bytes = table.plans.bytes();
  }
  bool store(const Move& move, std::uint64_t* words);
  void charge(std::uint64_t bytes) {
    budget_.charge(bytes);
    charged_ += bytes;
  }
  // A copy of the state's record.
  std::uint64_t* new_record(ActionId action) {
    const std::size_t at = out_->words.size();
    out_->words.resize(at + stride_);
    out_->actions.push_back(action);
    std::uint64_t* words = out_->words.data() + at;
    for (std::size_t i = 0; i < stride_; ++i) words[i] = record_[i];
    return words;
  }

  Network& network_;
  Layout& layout_;
  DeclinedShapes& shapes_;
  Scope& scope_;
  TreeBuilder& builder_;
  Budget& budget_;
  std::uint64_t charged_ = 0;
  std::uint64_t memo_bytes_ = 0;  // of these
  std::vector<std::unique_ptr<Table>> tables_;
  Misfit misfit_;
  bool distinct_ = false;
  // of the state that is being expanded
  ShapeId shape_ = 0;
  const std::uint64_t* record_ = nullptr;
  std::size_t stride_ = 0;
  SuccessorBuffer* out_ = nullptr;
  std::vector<const Local*> locals_;  // in each slot; none of a slot is learnt after it was found
  bool has_ended_ = false;  // one of them has terminated
  std::vector<EndingNow> endings_;
  bool has_values_ = false;  // of the state
  std::vector<std::int32_t> values_;
  FoundSteps steps_;
  bool may_keep_ = true;  // what was found depends on nothing but what the memo looks at
  std::vector<std::uint32_t> senders_;  // slots
  std::vector<std::uint32_t> receivers_;
  std::vector<std::int32_t> message_;
  std::vector<Part> parts_;
  std::vector<const Offer*> met_;
  struct Choice {
    std::uint32_t slot;
    std::uint32_t move;
  };
  std::vector<std::vector<Choice>> choices_;  // of each component that takes part
  std::vector<std::uint32_t> chosen_;
  Unpacked unpacked_;
  std::vector<Moved> moved_;
  std::vector<MovePart> move_parts_;
  std::vector<std::uint32_t> first_leaves_;  // by slot
  std::vector<std::uint32_t> places_;  // by node of the shape: its number in the tree
  std::vector<std::uint32_t> nodes_of_;  // by slot
  std::vector<std::uint32_t> moving_;  // slots
  std::vector<std::uint32_t> undecided_;
  std::vector<std::uint32_t> left_open_;  // nodes of the shape
  std::vector<std::uint32_t> plan_key_;
  std::vector<std::size_t> stored_;
  std::vector<Field> looked_at_;
};

// Nothing is given up for it, and no limit reached: it can be done without.
template <typename Memo>
void PlainSteps::recharge(Memo& memo, std::size_t before) {
  const std::size_t grown = memo.bytes();
  if (grown == before) return;
  if (grown > before && budget_.try_charge(grown - before)) {
    charged_ += grown - before;
    memo_bytes_ += grown - before;
    return;
  }
  if (grown > before) memo.give_up();
  const std::size_t freed = before - memo.bytes();
  budget_.release(freed);
  charged_ -= freed;
  memo_bytes_ -= freed;
}

}  // namespace fairlead
