// The step relation of leaves side by side whose edges are plain: with a label and a target that are always the same,
// and, where several leaves take part, without a guard and with an update that stores constants or nothing. What a local
// state does in its slot is then computed once, and a step just flips some bits of the packed state.
#pragma once

#include "packed_condition.hpp"
#include "successors.hpp"

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
    kUnfit,     // a successor does not fit into the layout (see misfit()); nothing that was appended counts
    kDeclined,  // the shape is not flat, has edges that are not plain, or all may terminate; nothing was appended
  };

  // Code is run in the given scope; what it wrote is taken back.
  PlainSteps(Network& network, const Layout& layout, DeclinedShapes& shapes, Scope& scope, Budget& budget)
      : network_(network), layout_(layout), shapes_(shapes), scope_(scope), budget_(budget) {}
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
    LocalId target;
    std::uint32_t flip;
    ActionId action;  // if it is a step of its own
    std::uint32_t first_store;
    std::uint32_t store_count;
    CodeId guard = kNoCode;   // unless it is a chain of tests
    CodeId update = kNoCode;  // unless it just stores constants
    TestNumber test = kHolds;
    std::uint32_t first_change = kNone;  // of words, if it moves on and stores constants; kNone: not known yet
    std::uint32_t change_count = 0;

    bool operator==(const Move&) const = default;
  };
  static constexpr std::uint32_t kUnknownFlip = kNone;
  static constexpr std::uint32_t kToError = kNone - 1;
  static constexpr std::uint32_t kLeastSpecial = kToError;

  // What a leaf offers to others: its moves under a shared event.
  struct Offer {
    std::uint32_t event;
    std::uint32_t first_move;
    std::uint32_t move_count;
  };
  // A local state in a slot. Its offers are sorted by event; those that the slot leads are listed as in the text.
  struct Local {
    bool known = false;
    bool can_end = false;    // it may terminate
    bool ambiguous = false;  // different steps of its own may be the same transition
    std::uint32_t number = 0;  // in the slot
    std::uint32_t first_single = 0;
    std::uint32_t single_count = 0;
    std::uint32_t first_offer = 0;
    std::uint32_t offer_count = 0;
    std::uint32_t first_led = 0;
    std::uint32_t led_count = 0;
    const std::int32_t* parameters = nullptr;
  };
  // What becomes of one word of the packed state.
  struct WordChange {
    std::uint64_t kept;
    std::uint64_t set;
    std::uint32_t word;
  };
  struct Slot {
    Field field;
    std::vector<Local> locals;  // by their numbers in the slot
  };
  // An event of several slots. It is looked for in the offers of the slot that leads it.
  struct Event {
    ActionId action;
    std::uint32_t leader;
    std::vector<std::uint32_t> others;
  };
  struct Table {
    bool distinct = true;       // each slot has a process of its own, so that its steps are no others'
    std::uint64_t version = 0;  // of the layout from which the fields of slots were taken
    std::vector<Slot> slots;
    std::vector<Event> events;
    std::unordered_map<LabelId, std::uint32_t> event_of;
    std::vector<Move> moves;
    BoundTests tests;
    std::vector<WordChange> changes;
    std::vector<Offer> offers;
    std::vector<std::uint32_t> led;  // offers
  };
  struct Part {
    std::uint32_t slot;
    std::uint32_t move;
  };

  Table& table(ShapeId shape);
  void fill(Table& table, const Shape& shape);
  // Finds the local states of all slots; false if one of them is not plain.
  bool look(Table& table, ShapeId shape, const std::uint64_t* record);
  bool learn(Table& table, ShapeId shape, std::uint32_t slot, std::uint32_t number);
  // Append the steps of a leaf by itself, and those it leads; false if one does not fit.
  bool singles(Table& table, std::uint32_t slot);
  bool single(Table& table, std::uint32_t slot, std::uint32_t number);
  bool enabled(const Table& table, const Move& move);
  // Finds out which bits a move changes that stores constants; false if they do not fit.
  bool find_changes(Table& table, std::uint32_t slot, Move& move);
  void rebind(Table& table, ShapeId shape);
  void see_values();
  bool update(const Move& move, std::uint64_t* words);
  bool set_value(std::uint64_t* words, std::size_t variable, std::int32_t value);
  bool expand_slots(Table& table);
  bool joints(Table& table, std::uint32_t slot);
  bool joint(Table& table, const Event& event, const Offer& leading);
  bool combinations(Table& table, const Event& event, const Offer& leading);
  static const Offer* offer_of(const Table& table, const Local& local, std::uint32_t event);
  // Appends the step of parts_; false if it does not fit.
  bool emit(Table& table, ActionId action);
  bool find_flip(Table& table, const Part& part);
  bool emit_error(const Table& table, ActionId action, std::uint32_t slot);
  bool store(const Move& move, std::uint64_t* words);
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
  const Layout& layout_;
  DeclinedShapes& shapes_;
  Scope& scope_;
  Budget& budget_;
  std::uint64_t charged_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;
  Misfit misfit_;
  bool distinct_ = false;
  // of the state that is being expanded
  ShapeId shape_ = 0;
  const std::uint64_t* record_ = nullptr;
  std::size_t stride_ = 0;
  SuccessorBuffer* out_ = nullptr;
  std::vector<const Local*> locals_;  // in each slot; none of a slot is learnt after it was found
  bool has_values_ = false;           // of the state
  std::vector<std::int32_t> values_;
  std::vector<Part> parts_;
  std::vector<const Offer*> met_;
  std::vector<std::uint32_t> chosen_;
  Unpacked unpacked_;
};

}  // namespace fairlead
