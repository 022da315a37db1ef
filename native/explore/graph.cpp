#include "explore/graph.hpp"

#include <algorithm>

#include "explore/proviso.hpp"
#include "steps/partial_order.hpp"

namespace fairlead {

// ---------------------------------------------------------------- explicit graphs

ExplicitGraph::ExplicitGraph(Budget& budget, Ticker& ticker, Workers& workers, std::size_t states)
    : Graph(budget, ticker, workers), states_(states) {}

void ExplicitGraph::add_state_edges(StateId state, std::span<const StateId> targets,
                                    std::span<const ActionId> actions) {
  std::vector<StateId> own_targets(targets.begin(), targets.end());
  std::vector<ActionId> own_actions(actions.begin(), actions.end());
  const std::size_t kept = remove_duplicates(own_targets, own_actions);
  set_edges(state, std::span(own_targets).first(kept), std::span(own_actions).first(kept));
  transitions_ += kept;
  ++expanded_;
}

std::int32_t ExplicitGraph::add_proposition(std::span<const StateId> states) {
  propositions_.emplace_back(states_, false);
  for (const StateId state : states) propositions_.back()[state] = true;
  return static_cast<std::int32_t>(propositions_.size() - 1);
}

std::uint64_t ExplicitGraph::propositions(StateId state, std::span<const std::int32_t> watched) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    if (propositions_[static_cast<std::size_t>(watched[i])][state]) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

// ---------------------------------------------------------------- networks

NetworkGraph::NetworkGraph(Network& network, Budget& budget, Ticker& ticker, Workers& workers, bool keep_edges)
    : Graph(budget, ticker, workers),
      network_(network),
      layout_(network),
      store_(layout_, budget, ticker),
      stepper_(network, layout_, declined_, budget),
      keep_edges_(keep_edges),
      parents_(budget) {
  network.set_ticker(&ticker);
  network.set_budget(&budget);
  list().set_expendable(true);
}

void NetworkGraph::add_initial(const Unpacked& state) {
  store_.repack([&](Layout& layout) { layout.admit(state); });
  std::vector<std::uint64_t> words(store_.stride());
  layout_.pack(state, words.data());
  bool is_new = false;
  const StateId id = store_.insert(words.data(), store_.hash(words.data()), is_new);
  if (!is_new) return;
  if (!keep_edges_) parents_.push_back(kNone);
  initial_.push_back(id);
  if (state.locals.size() == 1 && state.locals[0] == kErrorLocal) note_error(id);
  note_boundary();
}

void NetworkGraph::note_error(StateId state) {
  ++error_count_;
  if (!first_error_) first_error_ = state;
}

bool NetworkGraph::has_terminated(StateId state) {
  stepper_.unpack(store_.record(state));
  if (!stepper_.is_at_end()) return false;
  SuccessorBuffer successors;  // one that does not fit is one as well
  return stepper_.expand(store_.record(state), successors) && successors.size() == 0;
}

void NetworkGraph::evaluate(StateId state, std::span<const CodeId> expressions,
                            std::vector<std::optional<std::int32_t>>& values) {
  stepper_.unpack(store_.record(state));
  values.assign(expressions.size(), std::nullopt);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    try {
      values[i] = stepper_.value(expressions[i]);
    } catch (const ModelFault&) {
      values[i] = std::nullopt;  // it is asked for as a guide only
    }
  }
}

void NetworkGraph::make_room() {
  const Misfit& misfit = stepper_.misfit();
  if (misfit.what == Misfit::What::kLocal && layout_.has_room_for_local(misfit.shape, misfit.index)) {
    layout_.admit_local(misfit.shape, misfit.index, static_cast<LocalId>(misfit.value));
    return;
  }
  if (misfit.what == Misfit::What::kConfiguration && layout_.admit_in_place(misfit.configuration)) return;
  Layout trial = layout_;
  bool changed = false;
  switch (misfit.what) {
    case Misfit::What::kValue:
      changed = trial.admit_value(misfit.index, static_cast<std::int32_t>(misfit.value));
      break;
    case Misfit::What::kLocal:
      changed = trial.admit_local(misfit.shape, misfit.index, static_cast<LocalId>(misfit.value));
      break;
    case Misfit::What::kConfiguration:
      changed = trial.admit(misfit.configuration);
      break;
    case Misfit::What::kNothing:
      break;
  }
  if (changed) {
    store_.repack([&](Layout& layout) { layout = trial; });
  } else {
    layout_ = std::move(trial);
  }
}

void NetworkGraph::generate(StateId state, Batch& batch) {
  current_ = state;
  const std::size_t first = batch.successors.size();
  while (!stepper_.expand(store_.record(state), batch.successors)) {
    // what the batch holds so far was packed with the old layout: it goes into the store first
    batch.successors.truncate(first, store_.stride());
    if (first != 0) {
      resolve(batch);
      batch.clear();
      make_room();
      generate(state, batch);
      return;
    }
    make_room();
  }
  if (!takes_all_steps_) select(batch, state, first);
  batch.add_source(state, stepper_.distinct(), stepper_.way(), store_);
  for (std::size_t i = first; i < batch.size(); ++i) store_.prefetch_slot(batch.hashes[i]);
}

StateId NetworkGraph::add(const Batch& batch, std::size_t successor, StateId source) {
  bool is_new = false;
  const std::uint64_t* words = batch.successors.words.data() + successor * store_.stride();
  const StateId id = store_.insert(words, batch.hashes[successor], is_new);
  if (!is_new) return id;
  if (!keep_edges_) parents_.push_back(source);
  const std::vector<std::size_t>& errors = batch.successors.errors;
  if (!errors.empty() && std::binary_search(errors.begin(), errors.end(), successor)) note_error(id);
  return id;
}

void NetworkGraph::resolve(Batch& batch) {
  const std::size_t count = batch.size();
  for (std::size_t i = 0; i < count; ++i) store_.prefetch_record(batch.hashes[i]);
  batch.targets.resize(count);
  std::size_t first = 0;
  for (const Batch::Source& source : batch.sources) {
    // searches that go ahead have a batch of their own: they do not go level by level
    if (&batch == &batch_ && source.state >= level_end_) begin_level(store_.size());
    for (std::size_t i = first; i < source.end; ++i) batch.targets[i] = add(batch, i, source.state);
    first = source.end;
  }
  if (keep_edges_) set_edges(batch);
  transitions_ += count;
  expanded_ += batch.sources.size();
  if (!batch.reduced.empty()) note_reduced(batch);
}

std::optional<StateId> NetworkGraph::find(Goal goal, CodeId condition) {
  if (goal == Goal::kStop) return first_stop_;
  if (goal == Goal::kDeadlock) return first_deadlock_;
  if (goal == Goal::kUnsafe) return nearest_unsafe();
  if (goal == Goal::kNone) return std::nullopt;
  for (StateId state = 0; state < next_; ++state) {
    ticker_.tick();
    if (stepper_.holds(condition, store_.record(state))) return state;
  }
  return std::nullopt;
}

std::optional<std::pair<StateId, std::int32_t>> NetworkGraph::optimum(CodeId condition, CodeId objective,
                                                                      bool maximise) {
  std::optional<std::pair<StateId, std::int32_t>> best;
  for (StateId state = 0; state < next_; ++state) {
    ticker_.tick();
    current_ = state;
    if (!stepper_.holds(condition, store_.record(state))) continue;
    stepper_.unpack(store_.record(state));
    const std::int32_t value = stepper_.value(objective);
    if (!best || (maximise ? value > best->second : value < best->second)) best = {state, value};
  }
  return best;
}

std::optional<StateId> NetworkGraph::explore(Goal goal, CodeId condition, std::size_t state_limit) {
  for (;;) {
    const std::optional<StateId> found = explore_waiting(goal, condition, state_limit);
    if (found || next_ < store_.size() || !expand_put_off()) return found;
  }
}

std::optional<StateId> NetworkGraph::explore_waiting(Goal goal, CodeId condition, std::size_t state_limit) {
  constexpr std::size_t kBatchSuccessors = 512;
  while (next_ < store_.size()) {
    note_boundary();
    if (store_.size() > state_limit) {
      // an ERROR that is known is there, even if something nearer may be stuck
      return goal == Goal::kUnsafe ? first_error_ : std::nullopt;
    }
    if (next_ >= trial_end()) review_trial();
    if (workers_.count() > 1 && next_ >= alone_until_ && store_.size() - next_ >= workers_.least_work()) {
      explore_round(goal, condition, state_limit);
      ticker_.tick_slowly();
      continue;
    }
    batch_.clear();
    const std::size_t most = std::min(kBatchSuccessors, state_limit - store_.size() + 1);
    // where much is new the batch goes into the store early, again and again
    while (next_ < std::min(store_.size(), trial_end()) && batch_.successors.size() < most &&
           store_.size() <= state_limit) {
      ticker_.tick();
      const auto state = static_cast<StateId>(next_);
      current_ = state;
      if (is_goal(goal, condition, state)) {
        resolve(batch_);
        return goal == Goal::kUnsafe ? nearest_unsafe() : state;
      }
      ++next_;
      if (is_expanded(state)) continue;  // by a search that went ahead
      const std::size_t before = batch_.size();
      const std::size_t sources = batch_.sources.size();
      generate(state, batch_);
      const bool was_resolved = batch_.sources.size() <= sources;  // and begun again
      if (batch_.size() != (was_resolved ? 0 : before)) continue;
      note_stop(state);
      if (goal == Goal::kUnsafe && first_deadlock_) {
        resolve(batch_);
        return nearest_unsafe();
      }
      if ((goal == Goal::kStop && first_stop_) || (goal == Goal::kDeadlock && first_deadlock_)) {
        resolve(batch_);
        return state;
      }
    }
    resolve(batch_);
    ticker_.tick_slowly();
  }
  note_boundary();
  return goal == Goal::kUnsafe ? nearest_unsafe() : std::nullopt;
}

bool NetworkGraph::is_goal(Goal goal, CodeId condition, StateId state) {
  if (goal == Goal::kCondition) return stepper_.holds(condition, store_.record(state));
  return goal == Goal::kUnsafe && first_error_ && state >= *first_error_;
}

void NetworkGraph::note_stop(StateId state) {
  if (!first_stop_) first_stop_ = state;
  if (first_deadlock_) return;
  stepper_.unpack(store_.record(state));
  if (!stepper_.is_at_end() && !stepper_.has_failed()) first_deadlock_ = state;
}

// States are numbered in the order of their distance, unless a search went ahead.
std::optional<StateId> NetworkGraph::nearest_unsafe() {
  if (!first_error_) return first_deadlock_;
  if (first_deadlock_ && *first_deadlock_ < *first_error_) {
    return path_to(*first_deadlock_).size() < path_to(*first_error_).size() ? first_deadlock_ : first_error_;
  }
  // before it there may be states that are nearer, and stuck
  return next_ >= *first_error_ ? first_error_ : std::nullopt;
}

void NetworkGraph::expand(StateId state, EdgeBuffer& buffer) {
  single_.clear();
  generate(state, single_);
  resolve(single_);
  const auto count = static_cast<std::uint32_t>(single_.size());
  buffer.assign(state, stamp(), {single_.targets.data(), single_.successors.actions.data(), count});
}

std::vector<std::pair<ActionId, StateId>> NetworkGraph::path_to(StateId state) {
  return keep_edges_ ? path_along_edges(state) : path_along_parents(state);
}

std::vector<std::pair<ActionId, StateId>> NetworkGraph::path_along_edges(StateId state) {
  struct From {
    StateId state;
    ActionId action;
    bool met;
  };
  ChunkedVector<From> from(budget_);
  from.resize(store_.size(), From{kNone, kIdleAction, false});
  ChunkedVector<StateId> queue(budget_);
  EdgeBuffer buffer;
  for (const StateId start : initial_) {
    from[start].met = true;
    queue.push_back(start);
  }
  for (std::size_t i = 0; i < queue.size() && !from[state].met; ++i) {
    ticker_.tick();
    const StateId source = queue[i];
    if (!is_expanded(source)) continue;
    const EdgeSpan found = edges(source, buffer);
    for (std::uint32_t k = 0; k < found.count; ++k) {
      From& entry = from[found.targets[k]];
      if (entry.met) continue;
      entry = {source, found.actions[k], true};
      queue.push_back(found.targets[k]);
    }
  }
  std::vector<std::pair<ActionId, StateId>> path;
  for (StateId at = state; at != kNone; at = from[at].state) path.emplace_back(from[at].action, at);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<std::pair<ActionId, StateId>> NetworkGraph::path_along_parents(StateId state) {
  std::vector<StateId> states{state};
  while (parents_[states.back()] != kNone) states.push_back(parents_[states.back()]);
  std::reverse(states.begin(), states.end());
  std::vector<std::pair<ActionId, StateId>> path{{kIdleAction, states[0]}};
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    single_.clear();
    generate(states[i], single_);
    for (std::size_t k = 0; k < single_.size(); ++k) {
      const StateId target = add(single_, k, states[i]);
      if (target == states[i + 1]) {
        path.emplace_back(single_.successors.actions[k], target);
        break;
      }
    }
  }
  return path;
}

std::uint64_t NetworkGraph::propositions(StateId state, std::span<const std::int32_t> watched) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    if (stepper_.holds(watched[i], store_.record(state))) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

}  // namespace fairlead
