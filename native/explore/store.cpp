#include "explore/store.hpp"

#include <algorithm>

#include "memory/large_pages.hpp"

namespace fairlead {

namespace {

constexpr std::uint64_t kFirstCapacity = 256;

// A part is never fuller than this.
bool is_full(std::uint64_t used, std::uint64_t capacity) { return used * 4 > capacity * 3; }

// Small ones grow fast, large ones waste less; those fill whole large pages.
std::uint64_t larger(std::uint64_t capacity) {
  constexpr std::uint64_t kPageSlots = kLargePage / sizeof(std::uint64_t);
  if (capacity < kPageSlots) return capacity * 2;
  return (capacity + capacity / 2 + kPageSlots - 1) / kPageSlots * kPageSlots;
}

// The capacity of a part that has room for so many.
std::uint64_t enough(std::uint64_t capacity, std::uint64_t used) {
  while (is_full(used, capacity)) capacity = larger(capacity);
  return capacity;
}

}  // namespace

Store::Store(Layout& layout, Budget& budget, Ticker& ticker)
    : layout_(&layout), budget_(&budget), ticker_(&ticker), stride_(layout.words()) {
  for (Part& part : parts_) grow(part, kFirstCapacity);
}

// ---------------------------------------------------------------- records

std::size_t Store::record_bytes() const {
  std::size_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.bytes();
  return bytes;
}

std::size_t Store::table_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.memory.bytes();
  return bytes;
}

Block Store::new_chunk(std::size_t stride, bool large) {
  return {*budget_, kChunkStates * stride * sizeof(std::uint64_t), Access::kInOrder, large};
}

void Store::reserve_records(std::size_t count) {
  // the first chunk is on small pages: few states are to take little memory
  while (chunks_.size() * kChunkStates < count) {
    blocks_.push_back(new_chunk(stride_, !chunks_.empty()));
    chunks_.push_back(blocks_.back().as<std::uint64_t>());
  }
}

void Store::put_record(StateId id, const std::uint64_t* words) {
  std::memcpy(chunks_[id >> kChunkBits] + (id & (kChunkStates - 1)) * stride_, words, stride_ * sizeof(std::uint64_t));
}

// ---------------------------------------------------------------- one state

StateId Store::look(const Part& part, const std::uint64_t* words, std::uint64_t tag, std::size_t& at) const {
  for (at = place(part, tag); part.slots[at] != 0; at = next(part, at)) {
    const std::uint64_t slot = part.slots[at];
    if (slot >> 32 != tag || slot == kForgotten) continue;
    const StateId id = static_cast<StateId>(slot) - 1;
    if (same_record(record(id), words)) return id;
  }
  return kNone;
}

StateId Store::find(const std::uint64_t* words, std::uint64_t hash) const {
  std::size_t at = 0;
  return look(parts_[part_of(hash)], words, tag_of(hash), at);
}

StateId Store::insert(const std::uint64_t* words, std::uint64_t hash, bool& is_new) {
  Part& part = parts_[part_of(hash)];
  const std::uint64_t tag = tag_of(hash);
  std::size_t at = 0;
  if (const StateId known = look(part, words, tag, at); known != kNone) {
    is_new = false;
    return known;
  }
  if (size_ >= kNone - 1) throw LimitReached{Limit::kStates};
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

std::size_t Store::room_bytes(std::size_t arrivals) const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) {
    const std::uint64_t capacity = enough(part.capacity, part.used + arrivals);
    if (capacity != part.capacity) bytes += capacity * sizeof(std::uint64_t);
  }
  return bytes;
}

void Store::make_room(std::size_t part, std::size_t arrivals) {
  Part& own = parts_[part];
  const std::uint64_t capacity = enough(own.capacity, own.used + arrivals);
  if (capacity != own.capacity) grow(own, capacity);
}

// ---------------------------------------------------------------- growing

// Slots are in the order of tags, so both sides are walked from beginning to end.
void Store::grow(Part& part, std::uint64_t capacity) {
  Part grown{Block(*budget_, capacity * sizeof(std::uint64_t), Access::kInNoOrder, true), nullptr, capacity, 0};
  grown.slots = grown.memory.as<std::uint64_t>();
  std::fill_n(grown.slots, capacity, 0);
  for (std::size_t i = 0; i < part.capacity; ++i) {
    const std::uint64_t slot = part.slots[i];
    if (slot == 0 || slot == kForgotten) continue;
    ++grown.used;
    std::size_t at = place(grown, slot >> 32);
    while (grown.slots[at] != 0) at = next(grown, at);
    grown.slots[at] = slot;
  }
  part = std::move(grown);
}

void Store::repack_from(const Layout& old) {
  const std::size_t old_stride = stride_;
  const std::size_t new_stride = layout_->words();
  Unpacked state;
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    Block fresh = new_chunk(new_stride, chunk != 0);
    auto* words = fresh.as<std::uint64_t>();
    const std::size_t first = chunk << kChunkBits;
    const std::size_t last = std::min(size_, first + kChunkStates);
    for (std::size_t id = first; id < last; ++id) {
      old.unpack(chunks_[chunk] + (id - first) * old_stride, state);
      layout_->pack(state, words + (id - first) * new_stride);
    }
    chunks_[chunk] = words;
    blocks_[chunk] = std::move(fresh);
    ticker_->tick_slowly();
  }
  stride_ = new_stride;
  rebuild_parts();
}

void Store::rebuild_parts() {
  for (Part& part : parts_) {
    std::fill_n(part.slots, part.capacity, 0);
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
