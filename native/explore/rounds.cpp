// Exploring with several threads, in rounds. The states of a round are cut into blocks. While all tables are frozen,
// threads expand blocks and bring the successors to the store; then the new ones get their ids, in the order of blocks. A
// block ends early at a state that one thread alone must look at: it needs a table to grow, goes wrong, or is what is looked
// for. What comes after it in the round is forgotten and made again. So states get the same numbers as if one thread had
// done it all.
#include "explore/graph.hpp"

namespace fairlead {

namespace {

constexpr std::size_t kMostBlockStates = 128;
// So many successors, about, a round has.
constexpr std::size_t kRoundSuccessors = std::size_t{1} << 15;
// The number of an arrival is that of its block, then that of the successor in it.
constexpr unsigned kIndexBits = 14;
constexpr std::size_t kMostBlockSuccessors = std::size_t{1} << kIndexBits;
// After a round that came to an early end one thread continues alone for some states, each time twice as many.
constexpr std::size_t kLastSetback = std::size_t{1} << 16;

std::uint32_t arrival_number(std::size_t block, std::size_t index) {
  return static_cast<std::uint32_t>(block << kIndexBits | index);
}

}  // namespace

struct NetworkGraph::Round {
  Goal goal;
  CodeId condition;
  std::size_t first;  // of its states
  std::size_t count;
  std::size_t block_states;
  std::size_t block_successors;  // a block has no more
};

void NetworkGraph::explore_round(Goal goal, CodeId condition, std::size_t state_limit) {
  const std::size_t branching = 1 + transitions_ / std::max<std::size_t>(expanded_, 1);
  Round round{goal, condition, next_, std::min(store_.size() - next_, kRoundSuccessors / branching + 1), 0, 0};
  if (goal == Goal::kUnsafe && first_error_) {
    round.count = std::min(round.count, std::max<std::size_t>(*first_error_, next_) - next_);
  }
  round.count = std::min(round.count, trial_end() - next_);
  if (round.count == 0) {
    alone_until_ = next_ + 1;  // at the ERROR itself one thread sees that it is what is searched for
    return;
  }
  const std::size_t most_states = std::min(kMostBlockStates, 1 + kMostBlockSuccessors / (4 * branching));
  round.block_states = std::clamp<std::size_t>(workers_.least_work() / 8, 1, most_states);
  round.block_successors =
      std::min(kMostBlockSuccessors, std::max<std::size_t>(256, 4 * branching * round.block_states));
  // a round does not go beyond the limit, even if all that arrives is new: where exactly it is reached, one thread finds out
  const std::size_t within_limit = (state_limit - store_.size()) / round.block_successors;
  const std::size_t with_numbers = (kNone - 1 - store_.size()) >> kIndexBits;
  const std::size_t most_blocks = std::min(within_limit, with_numbers);
  if (most_blocks == 0) {
    alone_until_ = next_ + round.block_states;
    return;
  }
  round.count = std::min(round.count, most_blocks * round.block_states);
  const std::size_t blocks = (round.count + round.block_states - 1) / round.block_states;
  const std::size_t arrivals = blocks * round.block_successors;
  while (blocks_.size() < blocks) blocks_.push_back(std::make_unique<Batch>());
  while (steppers_.size() + 1 < workers_.count()) {
    steppers_.push_back(std::make_unique<Stepper>(network_, layout_, declined_, budget_));
  }
  // twice what a part gets if all that arrives is new, and evenly spread
  const std::size_t arriving = 2 * arrivals / Store::kParts + 64;
  if (const std::size_t bytes = store_.room_bytes(arriving); bytes != 0) {
    if (!budget_.has_room(bytes)) {
      alone_until_ = next_ + round.count;  // one thread makes room for what is new alone
      return;
    }
    Shares parts(Store::kParts, 1);
    workers_.run([&](unsigned) { parts.for_each([&](std::size_t part) { store_.make_room(part, arriving); }); });
  }
  Shares shares(blocks, 1);
  workers_.run([&](unsigned worker) {
    Stepper& stepper = worker == 0 ? stepper_ : *steppers_[worker - 1];
    shares.for_each([&](std::size_t number) {
      generate_block(stepper, round, number);
      bring(number);
      if (worker == 0) ticker_.tick_slowly();
    });
  });
  std::size_t kept = 0;
  std::optional<StateId> halted;
  while (kept < blocks && !halted) halted = blocks_[kept++]->halted;
  settle(kept, blocks);
  if (!halted) {
    next_ += round.count;
    setback_ = 0;
    return;
  }
  next_ = *halted;
  setback_ = std::clamp<std::size_t>(2 * setback_, 1 + workers_.least_work() / 4, kLastSetback);
  alone_until_ = next_ + setback_;
}

void NetworkGraph::generate_block(Stepper& stepper, const Round& round, std::size_t number) {
  Batch& block = *blocks_[number];
  block.clear();
  const std::size_t first = round.first + number * round.block_states;
  const std::size_t last = std::min(first + round.block_states, round.first + round.count);
  for (std::size_t at = first; at < last; ++at) {
    const auto state = static_cast<StateId>(at);
    if (is_expanded(state)) continue;  // by a search that went ahead
    const std::size_t before = block.successors.size();
    if (generate_frozen(stepper, round, block, state)) continue;
    block.successors.truncate(before, store_.stride());
    block.halted = state;
    break;
  }
}

// False if one thread alone must look at the state.
bool NetworkGraph::generate_frozen(Stepper& stepper, const Round& round, Batch& block, StateId state) {
  const std::uint64_t* record = store_.record(state);
  const std::size_t first = block.successors.size();
  try {
    if (round.goal == Goal::kCondition && stepper.holds(round.condition, record)) return false;
    if (!stepper.expand(record, block.successors) || block.successors.size() > round.block_successors) return false;
    if (!takes_all_steps_) select(block, state, first);
  } catch (const TablesFrozen&) {
    return false;
  } catch (const ModelFault&) {  // it is raised again where it is known which state comes first
    return false;
  }
  if (block.successors.size() == first && round.goal != Goal::kNone && round.goal != Goal::kCondition) {
    if (round.goal == Goal::kStop) return false;
    stepper.unpack(record);
    if (!stepper.is_at_end() && !stepper.has_failed()) return false;
  }
  block.add_source(state, stepper.distinct(), stepper.way(), store_);
  return true;
}

void NetworkGraph::bring(std::size_t number) {
  Batch& block = *blocks_[number];
  const std::size_t stride = store_.stride();
  const std::size_t count = block.size();
  block.targets.resize(count);
  block.displaced.assign(count, 0);
  block.displaced_count.store(0, std::memory_order_relaxed);
  block.taken = 0;
  block.taken_of.fill(0);
  const auto words_of = [&](std::uint32_t arrival) {
    const std::uint64_t index = arrival & (kMostBlockSuccessors - 1);
    return blocks_[arrival >> kIndexBits]->successors.words.data() + index * stride;
  };
  const auto displaced = [&](std::uint32_t arrival) {
    Batch& other = *blocks_[arrival >> kIndexBits];
    other.displaced[arrival & (kMostBlockSuccessors - 1)] = 1;
    other.displaced_count.fetch_add(1, std::memory_order_relaxed);
  };
  // what is needed soon is asked for: first the slots, then the records they lead to
  constexpr std::size_t kSlotsAhead = 24;
  constexpr std::size_t kRecordsAhead = 12;
  for (std::size_t i = 0; i < std::min(kSlotsAhead, count); ++i) store_.prefetch_slot(block.hashes[i]);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kSlotsAhead < count) store_.prefetch_slot(block.hashes[i + kSlotsAhead]);
    if (i + kRecordsAhead < count) store_.prefetch_record(block.hashes[i + kRecordsAhead]);
    const Store::Arrived arrived = store_.arrive(block.successors.words.data() + i * stride, block.hashes[i],
                                                 arrival_number(number, i), words_of, displaced);
    block.targets[i] = arrived.id;
    if (arrived.id != kNone) continue;
    block.waiting.push_back({static_cast<std::uint32_t>(i), arrived.took_slot, arrived.slot});
    if (!arrived.took_slot) continue;
    ++block.taken;
    ++block.taken_of[Store::part_of(block.hashes[i])];
  }
}

void NetworkGraph::settle(std::size_t kept, std::size_t blocks) {
  std::size_t added = 0;
  for (std::size_t number = 0; number < blocks; ++number) {
    Batch& block = *blocks_[number];
    // slots that were taken from another one are counted there as well, which only makes parts grow earlier
    for (std::size_t part = 0; part < Store::kParts; ++part) store_.note_taken(part, block.taken_of[part]);
    if (number >= kept) {
      forget_block(block);
      continue;
    }
    block.first_id = added;
    added += block.taken - block.displaced_count.load(std::memory_order_relaxed);
  }
  store_.expect(added);
  const std::size_t size = store_.size() + added;
  if (keep_edges_) {
    expect_runs(size);
  } else {
    parents_.resize_uninitialised(size);
  }
  Shares shares(kept, 1);
  workers_.run([&](unsigned) { shares.for_each([&](std::size_t number) { settle_block(*blocks_[number]); }); });
  for (std::size_t number = 0; number < kept; ++number) {
    note_block(*blocks_[number]);
    note_level(*blocks_[number]);
  }
  store_.finish(added);
  if (!keep_edges_) return;
  for (std::size_t number = 0; number < kept; ++number) {
    blocks_[number]->first_edge = reserve_edges(blocks_[number]->size());
  }
  Shares edges(kept, 1);
  workers_.run([&](unsigned) {
    edges.for_each([&](std::size_t number) {
      Batch& block = *blocks_[number];
      for (const Batch::Waiting& own : block.waiting) block.targets[own.index] = Store::settled(own.slot);
      put_edges(block.first_edge, block);
    });
  });
}

void NetworkGraph::settle_block(Batch& block) {
  constexpr std::size_t kAhead = 8;
  const std::size_t stride = store_.stride();
  std::size_t id = block.first_id;
  auto source = block.sources.begin();
  for (std::size_t i = 0; i < block.waiting.size(); ++i) {
    if (i + kAhead < block.waiting.size()) __builtin_prefetch(block.waiting[i + kAhead].slot, 1);
    const Batch::Waiting& own = block.waiting[i];
    if (!own.took_slot || block.displaced[own.index] != 0) continue;
    store_.settle(own.slot, id, block.successors.words.data() + own.index * stride);
    if (!keep_edges_) {
      while (source->end <= own.index) ++source;
      parents_[store_.size() + id] = source->state;
    }
    ++id;
  }
}

void NetworkGraph::forget_block(const Batch& block) {
  for (const Batch::Waiting& own : block.waiting) {
    if (own.took_slot && block.displaced[own.index] == 0) Store::forget(own.slot);
  }
}

// What exploring notes of the states as they come, in their order.
void NetworkGraph::note_block(const Batch& block) {
  for (const Batch::Waiting& own : block.waiting) {
    if (block.successors.errors.empty()) break;
    if (!own.took_slot || block.displaced[own.index] != 0) continue;
    const std::vector<std::size_t>& errors = block.successors.errors;
    if (std::binary_search(errors.begin(), errors.end(), own.index)) note_error(Store::settled(own.slot));
  }
  std::size_t first = 0;
  for (const Batch::Source& source : block.sources) {
    if (source.end == first) note_stop(source.state);
    first = source.end;
  }
  transitions_ += block.size();
  expanded_ += block.sources.size();
  if (!block.reduced.empty()) note_reduced(block);
}

// States get their ids in the order of those that lead to them, so that the next level ends where the first state was found
// from beyond this one. A round ends before that.
void NetworkGraph::note_level(const Batch& block) {
  if (block.sources.empty() || block.sources.back().state < level_end_) return;
  std::size_t within = 0;  // successors of states in the level
  for (const Batch::Source& source : block.sources) {
    if (source.state >= level_end_) break;
    within = source.end;
  }
  std::size_t found = block.first_id;
  for (const Batch::Waiting& own : block.waiting) {
    if (own.index >= within) break;
    if (own.took_slot && block.displaced[own.index] == 0) ++found;
  }
  begin_level(store_.size() + found);
}

}  // namespace fairlead
