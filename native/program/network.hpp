// The tables of a network: code, positions, local states, trees and shapes. They grow while a model is explored;
// what has never been seen is asked of Python through `Source`. While several threads read them they are frozen:
// a missing entry then raises TablesFrozen.
#pragma once

#include <memory>
#include <memory_resource>
#include <optional>

#include "program/bytecode.hpp"
#include "program/counted.hpp"
#include "program/shapes.hpp"

namespace fairlead {

using CodeId = std::int32_t;  // offset into the code pool
inline constexpr CodeId kNoCode = -1;

// A step that sends or receives is half a handshake, and none by itself.
enum class MoveKind : std::uint8_t { kEvent = 0, kInternal = 1, kTermination = 2, kSend = 3, kReceive = 4 };

// What an edge sends or receives by a handshake.
struct Handshake {
  std::uint32_t channel = 0;  // the first of an array of channels
  CodeId index = kNoCode;     // which of them
  std::vector<CodeId> values; // that are sent
  std::uint32_t fields = 0;   // how many
  CodeId accepts = kNoCode;   // whether a message is received, evaluated when there is one
};

// Edge::annotation of an edge without one.
inline constexpr std::uint8_t kNotAnnotated = 0xff;

// An edge of a position; expressions are code over shared variables and the position's parameters.
struct Edge {
  MoveKind kind;
  bool synchronises;
  std::uint32_t name;  // event name or construct
  CodeId guard;
  CodeId update;
  std::uint32_t target;  // position
  std::vector<CodeId> label_arguments;
  std::vector<CodeId> target_arguments;
  bool label_is_fixed;   // arguments depend on parameters only
  bool target_is_fixed;
  Handshake handshake;
  std::uint8_t annotation = kNotAnnotated;  // kind of the fairness annotation
};

struct Position {
  bool known = false;
  bool composite = false;
  CodeId condition = kNoCode;  // of a guard's position
  std::vector<Edge> edges;
};

// An edge of a local state: what of it does not depend on shared variables has been computed.
struct LocalEdge {
  const Edge* edge;
  LabelId label = kNone;    // kNone if it depends on shared variables (or is internal)
  LocalId target = kNone;   // kNone if it depends on shared variables
  ProcessId owner = kNone;  // the process for which `action` was looked up last
  ActionId action = kNone;
  ActionId moving = kNone;  // the same action with what a counted process leaves and enters by it
  MoveKind kind = MoveKind::kEvent;
  bool tests_one_value = false;  // the guard is: variable `guard_variable` has `guard_value`
  bool stores_constants = false; // the update is just `stores`
  bool never_enabled = false;    // the guard is false whatever the variables are
  std::int32_t guard_variable = 0;
  std::int32_t guard_value = 0;
  CodeId guard = kNoCode;
  CodeId update = kNoCode;
  std::uint32_t first_store = 0;
  std::uint32_t store_count = 0;
};

// A position with the values of its parameters. `parameters` and `edges` never move.
struct LocalState {
  const std::int32_t* parameters;
  LocalEdge* edges;
  std::uint32_t position;
  std::uint32_t parameter_count;
  std::uint32_t edge_count;
  bool expanded;
  bool composite;
  bool counted;  // it is that of counted processes, and has no edges of its own
  std::uint32_t first_after_edge = kNone;  // of counted processes: see Network::first_after_edge

  [[nodiscard]] std::span<LocalEdge> edge_span() const { return {edges, edge_count}; }
};

// What a composite local state stands for.
struct Composition {
  TreeId tree = kNone;
  std::vector<std::uint32_t> reads;  // the variables on which it depends
};

// Raised where a composition or a nesting of operators that cannot be is not to be reported yet.
struct CompositionFault {};

class Network;
struct TreeEdges;  // program/tree_edges.hpp
struct Symmetry;  // steps/symmetry.hpp

// The side of Python: asked only for what has never been seen.
class Source {
 public:
  virtual ~Source() = default;
  // Fills in a position (Network::define_position).
  virtual void position(std::uint32_t number) = 0;
  // The tree that a composite local state stands for when a process reaches it, and the variables on which that depends.
  // What goes wrong is reported, and the call does not return; or is not if `quietly`, and the answer has no tree.
  virtual Composition compose(LocalId local, ProcessId process, std::span<const std::int32_t> values, bool quietly) = 0;
  // Reports that operators are nested more than kNestingLimit deep; does not return.
  virtual void report_nesting() = 0;
  // What is known of the processes of a group in a local state.
  virtual MemberKind member(GroupId group, LocalId local) = 0;
  // The local states of the processes side by side that a process of a group becomes.
  virtual std::vector<LocalId> components(GroupId group, LocalId composite) = 0;
  // The value of a function on values that are not integers.
  virtual CallAnswer call(std::int32_t function, std::span<const std::int32_t> arguments) = 0;
  // The text of such a value.
  virtual std::string text(std::int32_t value) = 0;
};

inline constexpr LocalId kStopLocal = 0;
inline constexpr LocalId kSkipLocal = 1;
inline constexpr LocalId kTerminatedLocal = 2;
inline constexpr LocalId kErrorLocal = 3;
inline constexpr std::uint32_t kReservedLocals = 4;
// A tree that grows deeper than this is taken for one that grows forever.
inline constexpr std::uint16_t kNestingLimit = 120;

class Network {
 public:
  explicit Network(std::size_t variables);

  // --- filled from Python
  CodeId add_code(std::span<const std::int32_t> words);
  void define_position(std::uint32_t number, Position position);
  void annotate_edge(std::uint32_t number, std::size_t edge, std::uint8_t kind) {
    positions_[number]->edges.at(edge).annotation = kind;
  }
  // The process that the system is: the rest of it when it has terminated.
  void set_main(ProcessId process) { main_ = process; }
  LocalId intern_local(std::uint32_t position, std::span<const std::int32_t> parameters);
  void set_source(Source* source);
  void set_ticker(Ticker* ticker) {
    ticker_ = ticker;
    calls.set_ticker(ticker);
  }
  void set_budget(Budget* budget) {
    budget_ = budget;
    calls.set_budget(budget);
    trees.set_budget(budget);
  }
  // A state without steps has terminated if all its leaves are at these positions and the condition holds (kNoCode: it does).
  void set_resting(std::span<const std::uint32_t> positions, CodeId condition) {
    for (const std::uint32_t position : positions) {
      if (resting_.size() <= position) resting_.resize(position + std::size_t{1}, 0);
      resting_[position] = 1;
    }
    resting_condition_ = condition;
  }
  [[nodiscard]] bool has_resting() const { return !resting_.empty(); }
  [[nodiscard]] bool rests(LocalId id) const {
    const std::uint32_t position = position_of(id);
    return position < resting_.size() && resting_[position] != 0;
  }
  [[nodiscard]] CodeId resting_condition() const { return resting_condition_; }
  // States that differ only in who is who are to be explored as one.
  void set_symmetry(std::shared_ptr<const Symmetry> symmetry) { symmetry_ = std::move(symmetry); }
  [[nodiscard]] const Symmetry* symmetry() const { return symmetry_.get(); }
  void set_local_count(std::size_t count) { local_variables_ = std::max(local_variables_, count); }

  // --- used by the engine
  [[nodiscard]] std::size_t variable_count() const { return variables_; }
  [[nodiscard]] const std::int32_t* code(CodeId id) const { return code_.data() + id; }
  [[nodiscard]] const Shape& shape(ShapeId id) const { return shapes.get(id); }
  [[nodiscard]] ProcessId main() const { return main_; }
  [[nodiscard]] std::size_t local_count() const { return locals_.size(); }
  [[nodiscard]] std::uint32_t position_of(LocalId id) const { return locals_[id].position; }
  [[nodiscard]] std::span<const std::int32_t> parameters(LocalId id) const {
    return {locals_[id].parameters, locals_[id].parameter_count};
  }
  // The local state with its edges known. A copy, since the table may grow while it is used.
  LocalState local(LocalId id) {
    if (!locals_[id].expanded) expand(id);
    return locals_[id];
  }
  CodeId condition(LocalId guard);
  // The text of a position, whatever its parameters.
  const Position& text(std::uint32_t number) { return position(number); }

  std::int32_t evaluate(CodeId id, Scope& scope) {
    if (scope.locals.size() < local_variables_) scope.locals.resize(local_variables_);
    scope.calls = &calls;
    return run(code(id), scope);
  }
  bool enabled(const LocalEdge& edge, Scope& scope) {
    if (edge.tests_one_value) return scope.shared[edge.guard_variable] == edge.guard_value;
    return edge.guard == kNoCode || evaluate(edge.guard, scope) != 0;
  }
  // The constants an edge stores: variable and value.
  [[nodiscard]] std::span<const std::pair<std::int32_t, std::int32_t>> stores(const LocalEdge& edge) const {
    return stores(edge.first_store, edge.store_count);
  }
  [[nodiscard]] std::span<const std::pair<std::int32_t, std::int32_t>> stores(std::uint32_t first,
                                                                              std::uint32_t count) const {
    return {stores_.data() + first, count};
  }
  bool is_composite(LocalId id) { return locals_[id].expanded ? locals_[id].composite : local(id).composite; }

  // --- counted processes (counted.cpp)
  GroupId add_group(std::int32_t cutoff);
  [[nodiscard]] std::int32_t cutoff(GroupId group) const { return groups_[group].cutoff; }
  // The local state of a group with so many members in each local state, sorted.
  LocalId intern_counted(GroupId group, std::span<const Member> members);
  [[nodiscard]] GroupId group_of(LocalId counted) const { return static_cast<GroupId>(locals_[counted].parameters[0]); }
  [[nodiscard]] std::size_t member_count(LocalId counted) const { return locals_[counted].parameter_count / 2; }
  [[nodiscard]] Member member(LocalId counted, std::size_t index) const {
    const std::int32_t* pair = locals_[counted].parameters + 1 + 2 * index;
    return {static_cast<LocalId>(pair[0]), pair[1]};
  }
  const MemberKind& member_kind(GroupId group, LocalId local);
  // Where the processes arrive that a process of a group becomes when it goes to a local state.
  std::span<const LocalId> arriving(GroupId group, LocalId target);
  // What may become of counted processes when some of them move, each once.
  void after_moving(LocalId before, std::span<const MemberMove> moves, std::vector<LocalId>& found);
  // Where it is kept what becomes of counted processes by each edge of their members, one after the other.
  std::uint32_t first_after_edge(LocalId counted);
  AfterEdge& after_edge(std::uint32_t number) { return after_edges_[number]; }
  // The values of the variables that count the processes.
  void tally(LocalId counted, std::vector<Tally>& totals);

  // The label and target of an edge, in the scope of the state before the step.
  LabelId label(const LocalEdge& local_edge, ProcessId process, Scope& scope);
  LocalId target(const LocalEdge& local_edge, Scope& scope);
  ActionId action(LocalEdge& local_edge, ProcessId process, Scope& scope);

  // The tree that a composite local state stands for. If `quietly`, what goes wrong raises CompositionFault.
  TreeId compose(LocalId local, ProcessId process, std::span<const std::int32_t> values, bool quietly);
  // Whether that depends on variables, as far as is known.
  [[nodiscard]] bool composition_reads(LocalId local, ProcessId process) const;
  // The edges of a local state that stands for a tree, found once; nothing if these are not just edges of leaves.
  TreeEdges* tree_edges(LocalId local);
  void check_nesting(std::size_t depth) {
    if (depth > kNestingLimit) source_->report_nesting();
  }

  Trees trees;
  Shapes shapes;
  Labels labels;
  Calls calls;

 private:
  void expand(LocalId id);
  // Fills in the code of an edge for the parameters of a local state.
  void specialise_edge(LocalEdge& edge, std::span<const std::int32_t> parameters);
  Position& position(std::uint32_t number);

  std::size_t variables_;
  Source* source_ = nullptr;
  Budget* budget_ = nullptr;
  Ticker* ticker_ = nullptr;  // asking Python is slow: between questions the outside may stop us
  std::vector<std::int32_t> code_;
  std::vector<std::unique_ptr<Position>> positions_;
  SequenceInterner local_keys_;  // (position, parameters...)
  std::vector<LocalState> locals_;
  std::pmr::monotonic_buffer_resource arena_;  // parameters and edges of local states
  std::size_t local_variables_ = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> stores_;
  // What composite local states stand for, by local state and process: a tree, or variables on which it depends, and then
  // the tree for the values of these.
  SequenceInterner composed_keys_;
  std::vector<Composition> composed_;
  SequenceInterner composed_by_values_;  // (number in composed_, values of its variables...)
  std::vector<TreeId> composed_trees_;
  ProcessId main_ = kNone;
  std::vector<std::uint8_t> resting_;  // by position
  CodeId resting_condition_ = kNoCode;
  struct KnownEdges {
    bool known = false;
    std::shared_ptr<TreeEdges> edges;
  };
  std::vector<KnownEdges> tree_edges_;  // by local state
  std::vector<CountedGroup> groups_;
  std::vector<std::vector<LocalId>> arrivals_;  // by local state; empty if not known
  std::vector<AfterEdge> after_edges_;
  std::shared_ptr<const Symmetry> symmetry_;
};

}  // namespace fairlead
