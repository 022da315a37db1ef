#include "store.hpp"

namespace fairlead {

namespace {

constexpr std::uint64_t kFirstCapacity = 64;

// A part is never fuller than this.
bool is_full(std::uint64_t used, std::uint64_t capacity) { return used * 4 > capacity * 3; }

// Small ones grow fast, large ones waste less.
std::uint64_t larger(std::uint64_t capacity) {
  return capacity < (std::uint64_t{1} << 14) ? capacity * 2 : capacity + capacity / 2;
}

}  // namespace

Store::Store(Layout& layout, Budget& budget, Ticker& ticker)
    : layout_(&layout), budget_(&budget), ticker_(&ticker), stride_(layout.words()) {
  for (Part& part : parts_) grow(part, kFirstCapacity);
}

Store::~Store() { budget_->release(charged_); }

// ---------------------------------------------------------------- records

std::unique_ptr<std::uint64_t[]> Store::new_chunk(std::size_t stride) {
  charge(kChunkStates * stride * sizeof(std::uint64_t));
  return std::make_unique_for_overwrite<std::uint64_t[]>(kChunkStates * stride);
}

void Store::reserve_records(std::size_t count) {
  while (chunks_.size() * kChunkStates < count) chunks_.push_back(new_chunk(stride_));
}

void Store::put_record(StateId id, const std::uint64_t* words) {
  std::memcpy(chunks_[id >> kChunkBits].get() + (id & (kChunkStates - 1)) * stride_, words,
              stride_ * sizeof(std::uint64_t));
}

// ---------------------------------------------------------------- one state

StateId Store::insert(const std::uint64_t* words, std::uint64_t hash, bool& is_new) {
  Part& part = parts_[part_of(hash)];
  const std::uint64_t tag = tag_of(hash);
  std::size_t at = place(part, tag);
  while (part.slots[at] != 0) {
    const std::uint64_t slot = part.slots[at];
    if (slot >> 32 == tag) {
      const StateId id = static_cast<StateId>(slot) - 1;
      if (same_record(record(id), words)) {
        is_new = false;
        return id;
      }
    }
    at = next(part, at);
  }
  if (size_ >= kNone - 1) throw LimitReached{LimitReached::What::kStates};
  reserve_records(size_ + 1);
  const auto id = static_cast<StateId>(size_);
  put_record(id, words);
  ++size_;
  part.slots[at] = tag << 32 | (std::uint64_t{id} + 1);
  ++part.used;
  if (is_full(part.used, part.capacity)) grow(part, larger(part.capacity));
  is_new = true;
  return id;
}

// ---------------------------------------------------------------- states that arrive together

void Store::expect(std::size_t arrivals) {
  if (size_ + arrivals >= kNone - 1) throw LimitReached{LimitReached::What::kStates};
  arrived_words_.resize(std::max(arrived_words_.size(), arrivals * stride_));
  arrived_new_.assign(arrivals, 0);
  ids_.resize(std::max(ids_.size(), arrivals));
  arrived_ = 0;
}

void Store::make_room(std::size_t part, std::size_t arrivals) {
  Part& own = parts_[part];
  std::uint64_t capacity = own.capacity;
  while (is_full(own.used + arrivals, capacity)) capacity = larger(capacity);
  if (capacity != own.capacity) grow(own, capacity);
}

StateId Store::look_up(const std::uint64_t* words, std::uint64_t hash, std::uint32_t arrival) {
  Part& part = parts_[part_of(hash)];
  const std::uint64_t tag = tag_of(hash);
  std::size_t at = place(part, tag);
  while (part.slots[at] != 0) {
    const std::uint64_t slot = part.slots[at];
    if (slot >> 32 == tag) {
      const StateId id = static_cast<StateId>(slot) - 1;
      const std::uint64_t* known = id < size_ ? record(id) : &arrived_words_[(id - size_) * stride_];
      if (same_record(known, words)) return id;
    }
    at = next(part, at);
  }
  const auto id = static_cast<StateId>(size_ + arrival);
  std::memcpy(&arrived_words_[arrival * stride_], words, stride_ * sizeof(std::uint64_t));
  arrived_new_[arrival] = 1;
  part.slots[at] = tag << 32 | (std::uint64_t{id} + 1);
  ++part.used;
  return id;
}

std::size_t Store::number() {
  auto id = static_cast<StateId>(size_);
  for (std::size_t arrival = 0; arrival < arrived_new_.size(); ++arrival) {
    ids_[arrival] = id;
    id += arrived_new_[arrival];
  }
  arrived_ = id - size_;
  reserve_records(size_ + arrived_);
  return arrived_;
}

void Store::settle(std::uint64_t hash, std::uint32_t arrival) {
  Part& part = parts_[part_of(hash)];
  const std::uint64_t tag = tag_of(hash);
  const std::uint64_t looked_up = tag << 32 | (size_ + arrival + 1);
  std::size_t at = place(part, tag);
  while (part.slots[at] != looked_up) at = next(part, at);
  part.slots[at] = tag << 32 | (std::uint64_t{ids_[arrival]} + 1);
  put_record(ids_[arrival], &arrived_words_[arrival * stride_]);
}

// ---------------------------------------------------------------- growing

// Slots are in the order of tags, so both sides are walked from beginning to end.
void Store::grow(Part& part, std::uint64_t capacity) {
  charge(capacity * sizeof(std::uint64_t));
  Part grown{std::make_unique<std::uint64_t[]>(capacity), capacity, part.used};
  for (std::size_t i = 0; i < part.capacity; ++i) {
    const std::uint64_t slot = part.slots[i];
    if (slot == 0) continue;
    std::size_t at = place(grown, slot >> 32);
    while (grown.slots[at] != 0) at = next(grown, at);
    grown.slots[at] = slot;
  }
  release(part.capacity * sizeof(std::uint64_t));
  part = std::move(grown);
}

void Store::repack_from(const Layout& old) {
  const std::size_t old_stride = stride_;
  const std::size_t new_stride = layout_->words();
  Unpacked state;
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    auto fresh = new_chunk(new_stride);
    const std::size_t first = chunk << kChunkBits;
    const std::size_t last = std::min(size_, first + kChunkStates);
    for (std::size_t id = first; id < last; ++id) {
      old.unpack(chunks_[chunk].get() + (id - first) * old_stride, state);
      layout_->pack(state, fresh.get() + (id - first) * new_stride);
    }
    chunks_[chunk] = std::move(fresh);
    release(kChunkStates * old_stride * sizeof(std::uint64_t));
    ticker_->tick_slowly();
  }
  stride_ = new_stride;
  rebuild_parts();
}

void Store::rebuild_parts() {
  for (Part& part : parts_) {
    std::fill_n(part.slots.get(), part.capacity, 0);
    part.used = 0;
  }
  // records are read in order; the slots are asked for ahead of time
  constexpr std::size_t kAhead = 16;
  std::uint64_t hashes[kAhead];
  for (std::size_t id = 0; id < size_ + kAhead; ++id) {
    if ((id & 0xffff) == 0) ticker_->tick_slowly();
    if (id >= kAhead) {
      const std::uint64_t hash = hashes[id % kAhead];
      Part& part = parts_[part_of(hash)];
      std::size_t at = place(part, tag_of(hash));
      while (part.slots[at] != 0) at = next(part, at);
      part.slots[at] = tag_of(hash) << 32 | (std::uint64_t{id - kAhead} + 1);
      ++part.used;
      if (is_full(part.used, part.capacity)) grow(part, larger(part.capacity));
    }
    if (id < size_) {
      hashes[id % kAhead] = hash(record(static_cast<StateId>(id)));
      prefetch_slot(hashes[id % kAhead]);
    }
  }
}

}  // namespace fairlead
