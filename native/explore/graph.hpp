// The reachable graph of a system: explored breadth first in batches, or state by state on demand.
#pragma once

#include "explore/batch.hpp"
#include "explore/edges.hpp"
#include "explore/state_rules.hpp"
#include "explore/trial.hpp"
#include "memory/workers.hpp"
#include "steps/stepper.hpp"

namespace fairlead {

// How far exploring was when it had last taken in all that it had found. What has been stored since lies beyond.
struct Boundary {
  static constexpr std::uint64_t kNoState = ~std::uint64_t{0};

  std::uint64_t states = 0;
  std::uint64_t next = 0;  // the states before it are expanded
  std::uint64_t transitions = 0;
  std::uint64_t expanded = 0;
  std::uint64_t edges = 0;  // places for transitions
  std::uint64_t first_stop = kNoState;
  std::uint64_t first_deadlock = kNoState;
  std::uint64_t first_error = kNoState;
  std::uint64_t errors = 0;
  std::uint64_t declined = 0;  // shapes
  std::uint64_t levels = 0;
  std::uint64_t level_end = 0;
};

// What the parts of a graph take, in bytes.
struct GraphBytes {
  std::size_t records = 0;
  std::size_t table = 0;    // finds a state by its record
  std::size_t parents = 0;  // of a graph without transitions
  std::size_t edges = 0;
};

// What a search in the graph needs to know of a system; a network and an explicit graph both are one.
class Graph {
 public:
  Graph(Budget& budget, Ticker& ticker, Workers& workers)
      : budget_(budget), ticker_(ticker), workers_(workers), list_(budget), runs_(budget), stamp_(new_stamp()) {}
  virtual ~Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] virtual std::size_t state_count() const = 0;
  [[nodiscard]] virtual Labels& labels() = 0;
  // The propositions that hold in a state, as bits in the order given by watch().
  virtual std::uint64_t propositions(StateId state, std::span<const std::int32_t> watched) = 0;

  [[nodiscard]] const std::vector<StateId>& initial() const { return initial_; }
  [[nodiscard]] std::uint64_t transition_count() const { return transitions_; }
  [[nodiscard]] std::size_t expanded_count() const { return expanded_; }
  [[nodiscard]] bool is_expanded(StateId state) const { return state < runs_.size() && runs_[state] != kNotExpanded; }

  // The transitions of a state, found now if they are not known. They are in the buffer.
  EdgeSpan edges(StateId state, EdgeBuffer& buffer) {
    if (!buffer.holds(state, stamp_)) fetch(state, buffer);
    return buffer.span();
  }
  // How many there are, of an expanded state.
  [[nodiscard]] std::uint32_t edge_count(StateId state) const { return count_of(runs_[state]); }
  // Those that are kept, to ask for what they lead to: none if they are not known or not kept. Good until memory is charged.
  [[nodiscard]] EdgeSpan kept_edges(StateId state) const {
    if (!is_expanded(state) || !list_.has(place_of(runs_[state]))) return {nullptr, nullptr, 0};
    return list_.get(place_of(runs_[state]), count_of(runs_[state]));
  }
  // Asks for what edges() will look at first.
  void prefetch_edges(StateId state) const {
    if (state < runs_.size()) __builtin_prefetch(&runs_[state]);
  }

  // Asks for the transitions of an expanded state.
  void prefetch_targets(StateId state) const {
    if (list_.has(place_of(runs_[state]))) list_.prefetch(place_of(runs_[state]));
  }
  // For a walk along a list of `count` expanded states, now at place `at`; `state_at` gives the state at a place. Asks for
  // the transitions of states further on, in two stages, and calls `arrived(place)` for one whose transitions have come,
  // so that what they lead to can be asked for.
  template <typename StateAt, typename Arrived>
  void prefetch_ahead(std::size_t at, std::size_t count, StateAt&& state_at, Arrived&& arrived) const {
    if (at + 12 < count) prefetch_edges(state_at(at + 12));
    if (at + 8 < count) prefetch_targets(state_at(at + 8));
    if (at + 4 < count) arrived(at + 4);
  }

  // How many levels breadth-first exploration has begun: all states that are nearer to the start are expanded.
  [[nodiscard]] std::size_t level_count() const { return levels_; }
  [[nodiscard]] virtual GraphBytes bytes() const { return {0, 0, 0, edge_bytes()}; }

  Budget& budget() { return budget_; }
  Ticker& ticker() { return ticker_; }
  Workers& workers() { return workers_; }

 protected:
  // A run: how many transitions a state has, in which way they were found, and their place in the list.
  static constexpr std::uint64_t kNotExpanded = ~std::uint64_t{0};
  static constexpr unsigned kCountBits = 19;
  static constexpr std::uint64_t kMaxCount = (std::uint64_t{1} << kCountBits) - 1;
  [[nodiscard]] static std::uint64_t make_run(std::size_t place, StepWay way, std::size_t count) {
    return std::uint64_t{place} << (kCountBits + 1) | static_cast<std::uint64_t>(way) << kCountBits | count;
  }
  [[nodiscard]] static std::uint32_t count_of(std::uint64_t run) { return static_cast<std::uint32_t>(run & kMaxCount); }
  [[nodiscard]] static StepWay way_of(std::uint64_t run) { return static_cast<StepWay>(run >> kCountBits & 1); }
  [[nodiscard]] static std::size_t place_of(std::uint64_t run) { return run >> (kCountBits + 1); }

  // Finds the transitions of a state for the first time; they are left in the buffer.
  virtual void expand(StateId state, EdgeBuffer& buffer) = 0;
  // Finds them again, where they are not kept.
  virtual EdgeSpan find_again(StateId state, StepWay way) = 0;
  // Stores the transitions of a state, without duplicates.
  void set_edges(StateId state, std::span<const StateId> targets, std::span<const ActionId> actions,
                 StepWay way = StepWay::kGeneral);
  void set_edges(const Batch& batch);
  // The same for many states at once: makes room for all states, then for the transitions of some of them, one after
  // the other (where they begin); then threads store them.
  void expect_runs(std::size_t states) {
    if (runs_.size() < states) runs_.resize(states, kNotExpanded);
  }
  [[nodiscard]] std::size_t reserve_edges(std::size_t count) { return list_.reserve(count); }
  [[nodiscard]] EdgeList& list() { return list_; }
  [[nodiscard]] std::size_t edge_bytes() const { return runs_.bytes() + list_.bytes(); }
  [[nodiscard]] std::uint64_t stamp() const { return stamp_; }
  void save_edges(CheckpointWriter& out, const Boundary& boundary);
  void load_edges(CheckpointReader& in, const Boundary& boundary);
  void check_edges(const Boundary& boundary);
  void put_edges(std::size_t at, const Batch& batch);
  // Leaves out repetitions of the same transition; returns how many remain at the front.
  static std::size_t remove_duplicates(std::span<StateId> targets, std::span<ActionId> actions);

  Budget& budget_;
  Ticker& ticker_;
  Workers& workers_;
  std::vector<StateId> initial_;
  std::uint64_t transitions_ = 0;
  std::size_t expanded_ = 0;
  std::size_t levels_ = 0;

 private:
  static std::uint64_t new_stamp();
  void fetch(StateId state, EdgeBuffer& buffer);

  EdgeList list_;
  ChunkedVector<std::uint64_t> runs_;  // per state
  std::uint64_t stamp_;                // another one whenever transitions that are known change
};

// Calls `visit(source, action, target)` for the steps from the states of a complete graph that were reached.
template <typename Visit>
void for_each_edge(Graph& graph, Visit&& visit) {
  EdgeBuffer buffer;
  for (StateId state = 0; state < graph.state_count(); ++state) {
    if (!graph.is_expanded(state)) continue;
    graph.ticker().tick();
    const EdgeSpan edges = graph.edges(state, buffer);
    for (std::uint32_t i = 0; i < edges.count; ++i) visit(state, edges.actions[i], edges.targets[i]);
  }
}

// A graph given as a list of transitions.
class ExplicitGraph final : public Graph {
 public:
  ExplicitGraph(Budget& budget, Ticker& ticker, Workers& workers, std::size_t states);

  // Transitions of each state are added together, in any order of states.
  void add_state_edges(StateId state, std::span<const StateId> targets, std::span<const ActionId> actions);
  void add_initial(StateId state) { initial_.push_back(state); }
  std::int32_t add_proposition(std::span<const StateId> states);

  [[nodiscard]] std::size_t state_count() const override { return states_; }
  [[nodiscard]] Labels& labels() override { return labels_; }
  std::uint64_t propositions(StateId state, std::span<const std::int32_t> watched) override;

 protected:
  void expand(StateId state, EdgeBuffer& buffer) override {
    set_edges(state, {}, {});
    buffer.assign(state, stamp(), {nullptr, nullptr, 0});
  }
  EdgeSpan find_again(StateId, StepWay) override {
    throw std::logic_error("the transitions of a listed graph are kept");
  }

 private:
  std::size_t states_;
  Labels labels_;
  std::vector<std::vector<bool>> propositions_;
};

// Unsafe is what is stuck or in ERROR; of equally near ones, ERROR.
enum class Goal { kNone, kDeadlock, kStop, kCondition, kUnsafe };

class PartialOrder;
class ReducedStates;
struct Sight;
enum class Proviso : std::uint8_t;

// The graph of a network.
class NetworkGraph final : public Graph {
 public:
  NetworkGraph(Network& network, Budget& budget, Ticker& ticker, Workers& workers, bool keep_edges);

  ~NetworkGraph() override;

  void add_initial(const Unpacked& state);
  // From now on only steps that are enough for a question are taken (steps/partial_order.hpp); tells why not, if so. The
  // graph must keep its transitions, and have its initial states but no others.
  std::optional<std::string> reduce(Sight sight, Proviso proviso);
  // How many states have not all their steps.
  [[nodiscard]] std::size_t reduced_count() const;

  // Explores breadth first until everything is explored, more than `state_limit` states are known or a goal
  // is found; the id of the goal, if any. Can be called again to continue.
  std::optional<StateId> explore(Goal goal, CodeId condition, std::size_t state_limit);
  // Looks for a goal among the states explored so far.
  std::optional<StateId> find(Goal goal, CodeId condition);
  // The least (or greatest) value of an expression in the explored states where a condition holds, and the
  // first state that has it.
  std::optional<std::pair<StateId, std::int32_t>> optimum(CodeId condition, CodeId objective, bool maximise);
  // The value of an expression in a state, and whether a condition holds there.
  [[nodiscard]] std::int32_t value(CodeId expression, StateId state) {
    current_ = state;
    stepper_.unpack(store_.record(state));
    return stepper_.value(expression);
  }
  [[nodiscard]] bool holds(CodeId condition, StateId state) {
    current_ = state;
    return stepper_.holds(condition, store_.record(state));
  }
  [[nodiscard]] bool complete() const;

  // --- checkpoints (checkpoint.cpp)
  // Whether what was explored up to the last boundary can be saved now. It can even after exploring was stopped at any
  // point, unless states were just being packed again.
  [[nodiscard]] bool can_save() const { return store_.is_whole(); }
  void save(int file);
  // Continues from what was saved, in a graph that has its initial states only. Throws BadCheckpoint if the file has anything
  // that cannot be so; if it fails, the graph is not to be used.
  void load(int file, const StateRules& rules);

  // The states and actions of a shortest way to a state, through what has been expanded; the first one is
  // the initial state, with no action of its own.
  std::vector<std::pair<ActionId, StateId>> path_to(StateId state);
  // The state that was being expanded (for the place of a fault).
  [[nodiscard]] StateId current() const { return current_; }

  [[nodiscard]] Unpacked unpack(StateId state) {
    stepper_.unpack(store_.record(state));
    return stepper_.state();
  }
  [[nodiscard]] bool has_terminated(StateId state);
  // Whether a state is an ERROR configuration.
  [[nodiscard]] bool has_failed(StateId state) {
    stepper_.unpack(store_.record(state));
    return stepper_.has_failed();
  }
  // The values of expressions in a state; none where one cannot be computed.
  void evaluate(StateId state, std::span<const CodeId> expressions, std::vector<std::optional<std::int32_t>>& values);
  // If there is a symmetry: where each of its members goes when a state gets its representative; nothing if members
  // cannot be exchanged in it.
  std::optional<std::vector<std::uint32_t>> exchange(const Unpacked& state) {
    if (!stepper_.representatives()->applies_to(state)) return std::nullopt;
    return stepper_.representatives()->exchange(state);
  }
  // How many states are ERROR configurations.
  [[nodiscard]] std::size_t error_count() const { return error_count_; }
  [[nodiscard]] std::size_t record_bytes() const { return store_.stride() * 8; }
  [[nodiscard]] Network& network() { return network_; }
  [[nodiscard]] bool keeps_edges() const { return keep_edges_; }
  // Keeps no more than so many transitions; the others are found again when they are asked for.
  void keep_at_most(std::size_t transitions) { list().keep_at_most(transitions); }

  [[nodiscard]] std::size_t state_count() const override { return store_.size(); }
  [[nodiscard]] GraphBytes bytes() const override {
    return {store_.record_bytes(), store_.table_bytes(), parents_.bytes(), edge_bytes()};
  }
  [[nodiscard]] Labels& labels() override { return network_.labels; }
  std::uint64_t propositions(StateId state, std::span<const std::int32_t> watched) override;

 protected:
  void expand(StateId state, EdgeBuffer& buffer) override;
  EdgeSpan find_again(StateId state, StepWay way) override;

 private:
  static constexpr std::size_t kRecent = std::size_t{1} << 10;

  // Explores until nothing waits to be expanded, with the same results.
  std::optional<StateId> explore_waiting(Goal goal, CodeId condition, std::size_t state_limit);

  // --- partial order reduction (reduced_graph.cpp)
  // Leaves only some of the last successors in a batch, if they are enough.
  void select(Batch& batch, StateId state, std::size_t first);
  void note_reduced(const Batch& batch);
  // Expands states again whose steps must not be put off; whether there were any.
  bool expand_put_off();
  // Up to which state steps are chosen, or not, as they are now.
  [[nodiscard]] std::size_t trial_end() const { return reduced_ ? trial_.until() : kNone; }
  void review_trial();

  // Appends the successors of a state to the batch; makes room in the layout where needed.
  void generate(StateId state, Batch& batch);
  // Looks up or adds all states of the batch and stores the transitions.
  void resolve(Batch& batch);
  // Whether a state is what is searched for; if so, exploring ends there.
  bool is_goal(Goal goal, CodeId condition, StateId state);

  // --- exploring with several threads (rounds.cpp)
  // Expands some of the next states at the same time, as far as no table needs to grow.
  void explore_round(Goal goal, CodeId condition, std::size_t state_limit);
  struct Round;
  void generate_block(Stepper& stepper, const Round& round, std::size_t number);
  bool generate_frozen(Stepper& stepper, const Round& round, Batch& block, StateId state);
  // Brings the successors of a block to the store.
  void bring(std::size_t number);
  // Gives ids to the new states of the first blocks and stores the transitions; the others are forgotten.
  void settle(std::size_t kept, std::size_t blocks);
  void settle_block(Batch& block);
  void forget_block(const Batch& block);
  void note_block(const Batch& block);
  void begin_level(std::size_t end) {
    ++levels_;
    level_end_ = end;
  }
  // Begins the next level, if the block goes beyond this one. Its new states have their ids, but are not counted yet.
  void note_level(const Batch& block);
  void make_room();
  std::vector<std::pair<ActionId, StateId>> path_along_edges(StateId state);
  std::vector<std::pair<ActionId, StateId>> path_along_parents(StateId state);
  // Looks up or adds one state of the batch; `source` leads to it.
  StateId add(const Batch& batch, std::size_t successor, StateId source);
  void note_error(StateId state);
  // Notes that an expanded state has no transitions.
  void note_stop(StateId state);
  void note_boundary();
  // --- what a checkpoint must be like (checkpoint.cpp)
  void check_boundary() const;
  void check_states(const StateRules& rules, std::span<const Unpacked> initial);
  void check_parents() const;
  // The nearest state that is stuck or in ERROR, once it is known to be the nearest.
  std::optional<StateId> nearest_unsafe();

  Network& network_;
  Layout layout_;
  Store store_;
  DeclinedShapes declined_;
  Stepper stepper_;
  bool keep_edges_;
  ChunkedVector<StateId> parents_;
  std::size_t next_ = 0;
  // Where the newest level that was begun ends. The states of a level are found from those of the levels before it.
  std::size_t level_end_ = 0;
  std::optional<StateId> first_stop_;      // the first state without transitions
  std::optional<StateId> first_deadlock_;  // the first of them that has not terminated and is no ERROR
  std::optional<StateId> first_error_;
  std::size_t error_count_ = 0;
  StateId current_ = 0;
  Batch batch_;
  Batch single_;
  std::vector<EdgeBuffer> recent_;  // transitions that were found again, by the last bits of the state
  std::unique_ptr<PartialOrder> order_;  // of a graph that is reduced
  std::unique_ptr<ReducedStates> reduced_;
  bool takes_all_steps_ = true;
  Trial trial_;
  std::vector<std::unique_ptr<Stepper>> steppers_;  // of the other threads
  std::vector<std::unique_ptr<Batch>> blocks_;
  std::size_t alone_until_ = 0;  // up to which state one thread continues alone
  std::size_t setback_ = 0;      // how many states that were, the last time
  Boundary boundary_;
};

}  // namespace fairlead
