// Exploring with several threads, in rounds. The states of a round are cut into blocks; threads expand blocks while all
// tables are frozen, then look up what they found in parts of the store of their own. A block ends early at a state that
// one thread alone must look at: it needs a table to grow, goes wrong, or is what is looked for. What comes after it in the
// round is thrown away and made again. So states get the same numbers as if one thread had done it all.
#include "graph.hpp"

namespace fairlead {

namespace {

constexpr std::size_t kMostBlockStates = 64;
// So many successors, about, a round has: what threads hand to each other should stay in their caches.
constexpr std::size_t kRoundSuccessors = std::size_t{1} << 15;
// After a round that came to an early end one thread goes on alone for some states, each time twice as many.
constexpr std::size_t kLastSetback = std::size_t{1} << 16;

}  // namespace

void NetworkGraph::explore_round(Goal goal, CodeId condition, std::size_t state_limit) {
  const std::size_t block_states = std::clamp<std::size_t>(workers_.least_work() / 16, 1, kMostBlockStates);
  const std::size_t branching = 1 + transitions_ / std::max<std::size_t>(expanded_, 1);
  std::size_t count = std::min(store_.size() - next_, std::max(block_states, kRoundSuccessors / branching));
  if (goal == Goal::kUnsafe && first_error_) count = std::min(count, std::max<std::size_t>(*first_error_, next_) - next_);
  const std::size_t blocks = (count + block_states - 1) / block_states;
  if (blocks_.size() < blocks) blocks_.resize(blocks);
  while (steppers_.size() + 1 < workers_.count()) {
    steppers_.push_back(std::make_unique<Stepper>(network_, layout_, budget_));
  }
  Shares shares(blocks, 1);
  workers_.run([&](unsigned worker) {
    Stepper& stepper = worker == 0 ? stepper_ : *steppers_[worker - 1];
    shares.for_each([&](std::size_t number) {
      const std::size_t first = next_ + number * block_states;
      const std::size_t last = std::min(first + block_states, next_ + count);
      generate_block(stepper, blocks_[number], static_cast<StateId>(first), static_cast<StateId>(last), goal, condition,
                     worker == 0 ? &ticker_ : nullptr);
    });
  });
  std::size_t arrivals = 0;
  std::size_t used = 0;
  std::optional<StateId> halted;
  while (used < blocks && !halted) {
    blocks_[used].first = arrivals;
    arrivals += blocks_[used].size();
    halted = blocks_[used++].halted;
  }
  if (store_.size() + arrivals > state_limit) {  // where exactly the limit is reached, one thread finds out
    alone_until_ = next_ + count;
    return;
  }
  resolve_together(used);
  if (!halted) {
    next_ += count;
    setback_ = 0;
    return;
  }
  next_ = *halted;
  setback_ = std::clamp<std::size_t>(2 * setback_, 1 + workers_.least_work() / 4, kLastSetback);
  alone_until_ = next_ + setback_;
}

void NetworkGraph::generate_block(Stepper& stepper, Batch& block, StateId first, StateId last, Goal goal,
                                  CodeId condition, Ticker* ticker) {
  block.clear();
  for (StateId state = first; state < last; ++state) {
    if (is_expanded(state)) continue;  // by a search that went ahead
    if (!generate_frozen(stepper, block, state, goal, condition)) {
      block.halted = state;
      break;
    }
  }
  block.deal(workers_.count());
  block.targets.resize(block.size());
  if (ticker != nullptr) ticker->tick_slowly();
}

// False if one thread alone must look at the state.
bool NetworkGraph::generate_frozen(Stepper& stepper, Batch& block, StateId state, Goal goal, CodeId condition) {
  const std::uint64_t* record = store_.record(state);
  const std::size_t first = block.successors.size();
  try {
    if (goal == Goal::kCondition && stepper.holds(condition, record)) return false;
    if (!stepper.expand(record, block.successors)) {
      block.successors.truncate(first, store_.stride());
      return false;
    }
  } catch (const TablesFrozen&) {
    block.successors.truncate(first, store_.stride());
    return false;
  } catch (const ModelFault&) {  // it is raised again where it is known which state comes first
    block.successors.truncate(first, store_.stride());
    return false;
  }
  if (block.successors.size() == first && goal != Goal::kNone && goal != Goal::kCondition) {
    if (goal == Goal::kStop) return false;
    stepper.unpack(record);
    if (!stepper.is_at_end() && !stepper.has_failed()) return false;
  }
  block.add_source(state, stepper.distinct(), store_);
  return true;
}

void NetworkGraph::resolve_together(std::size_t blocks) {
  const std::size_t arrivals = blocks == 0 ? 0 : blocks_[blocks - 1].first + blocks_[blocks - 1].size();
  store_.expect(arrivals);
  workers_.run([&](unsigned worker) { look_up_share(blocks, worker); });
  const std::size_t found = store_.size() + store_.number();
  if (keep_edges_) {
    expect_runs(found);
  } else {
    parents_.resize_uninitialised(found);
  }
  workers_.run([&](unsigned worker) { settle_share(blocks, worker); });
  note_arrivals(blocks);
  store_.finish();
  if (!keep_edges_) return;
  for (std::size_t number = 0; number < blocks; ++number) {
    Batch& block = blocks_[number];
    block.first_edge = reserve_edges(block.size());
    if (!block.first_edge) set_edges(block);
  }
  Shares shares(blocks, 4);
  workers_.run([&](unsigned) {
    shares.for_each([&](std::size_t number) {
      if (blocks_[number].first_edge) put_edges(*blocks_[number].first_edge, blocks_[number]);
    });
  });
}

void NetworkGraph::look_up_share(std::size_t blocks, unsigned worker) {
  for (std::size_t part = worker; part < Store::kParts; part += workers_.count()) {
    std::size_t arriving = 0;
    for (std::size_t number = 0; number < blocks; ++number) arriving += blocks_[number].arriving[part];
    store_.make_room(part, arriving);
  }
  // what is needed soon is asked for: first the slots, then the records they lead to
  constexpr std::size_t kSlotsAhead = 24;
  constexpr std::size_t kRecordsAhead = 12;
  const std::size_t stride = store_.stride();
  for (std::size_t number = 0; number < blocks; ++number) {
    Batch& block = blocks_[number];
    const std::vector<std::uint32_t>& own = block.dealt[worker];
    for (std::size_t i = 0; i < own.size() + kSlotsAhead; ++i) {
      if (i < own.size()) store_.prefetch_slot(block.hashes[own[i]]);
      if (i >= kRecordsAhead && i - kRecordsAhead < own.size()) {
        store_.prefetch_record(block.hashes[own[i - kRecordsAhead]]);
      }
      if (i < kSlotsAhead) continue;
      const std::uint32_t index = own[i - kSlotsAhead];
      block.targets[index] = store_.look_up(&block.successors.words[index * stride], block.hashes[index],
                                            static_cast<std::uint32_t>(block.first + index));
    }
  }
}

void NetworkGraph::settle_share(std::size_t blocks, unsigned worker) {
  for (std::size_t number = 0; number < blocks; ++number) {
    Batch& block = blocks_[number];
    auto source = block.sources.begin();
    for (const std::uint32_t index : block.dealt[worker]) {
      const auto arrival = static_cast<std::uint32_t>(block.first + index);
      block.targets[index] = store_.settled(block.targets[index]);
      if (!store_.is_new(arrival)) continue;
      store_.settle(block.hashes[index], arrival);
      if (keep_edges_) continue;
      while (source->end <= index) ++source;
      parents_[block.targets[index]] = source->state;
    }
  }
}

// What exploring notes of the states as they come, in their order.
void NetworkGraph::note_arrivals(std::size_t blocks) {
  for (std::size_t number = 0; number < blocks; ++number) {
    const Batch& block = blocks_[number];
    for (const std::size_t index : block.successors.errors) {
      if (store_.is_new(static_cast<std::uint32_t>(block.first + index))) note_error(block.targets[index]);
    }
    std::size_t first = 0;
    for (const Batch::Source& source : block.sources) {
      if (source.end == first) note_stop(source.state);
      first = source.end;
    }
    transitions_ += block.size();
    expanded_ += block.sources.size();
  }
}

}  // namespace fairlead
