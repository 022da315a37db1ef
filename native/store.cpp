#include "store.hpp"

namespace fairlead {

namespace {
constexpr std::size_t kFirstTable = std::size_t{1} << 12;
}

Store::Store(Layout& layout, Budget& budget, Ticker& ticker)
    : layout_(&layout), budget_(&budget), ticker_(&ticker), stride_(layout.words()) {
  rebuild_table(kFirstTable);
}

Store::~Store() { budget_->release(charged_); }

std::unique_ptr<std::uint64_t[]> Store::new_chunk(std::size_t stride) {
  charge(kChunkStates * stride * sizeof(std::uint64_t));
  return std::make_unique_for_overwrite<std::uint64_t[]>(kChunkStates * stride);
}

StateId Store::insert(const std::uint64_t* words, std::uint64_t hash, bool& is_new) {
  const std::uint64_t tag = hash >> 32;
  std::size_t at = hash & mask_;
  while (table_[at] != 0) {
    const std::uint64_t slot = table_[at];
    if ((slot >> 32) == tag) {
      const StateId id = static_cast<StateId>(slot) - 1;
      if (same_record(record(id), words)) {
        is_new = false;
        return id;
      }
    }
    at = (at + 1) & mask_;
  }
  if (size_ >= kNone - 1) throw LimitReached{LimitReached::What::kStates};
  if ((size_ & (kChunkStates - 1)) == 0 && (size_ >> kChunkBits) == chunks_.size()) {
    chunks_.push_back(new_chunk(stride_));
  }
  const auto id = static_cast<StateId>(size_);
  std::memcpy(chunks_[id >> kChunkBits].get() + (id & (kChunkStates - 1)) * stride_, words,
              stride_ * sizeof(std::uint64_t));
  ++size_;
  table_[at] = (tag << 32) | (std::uint64_t{id} + 1);
  if (size_ * 4 > (mask_ + 1) * 3) grow_table();
  is_new = true;
  return id;
}

void Store::grow_table() { rebuild_table((mask_ + 1) * 2); }

void Store::rebuild_table(std::size_t slots) {
  const std::size_t old = table_ ? mask_ + 1 : 0;
  table_.reset();
  release(old * sizeof(std::uint64_t));
  mask_ = 0;
  charge(slots * sizeof(std::uint64_t));
  table_ = std::make_unique<std::uint64_t[]>(slots);
  mask_ = slots - 1;
  // records are read in order; the slots are asked for ahead of time
  constexpr std::size_t kAhead = 16;
  std::uint64_t hashes[kAhead];
  for (std::size_t id = 0; id < size_ + kAhead; ++id) {
    if ((id & 0xffff) == 0) ticker_->tick_slowly();
    if (id >= kAhead) {
      const std::uint64_t hash = hashes[id % kAhead];
      std::size_t at = hash & mask_;
      while (table_[at] != 0) at = (at + 1) & mask_;
      table_[at] = ((hash >> 32) << 32) | (std::uint64_t{id - kAhead} + 1);
    }
    if (id < size_) {
      hashes[id % kAhead] = hash(record(static_cast<StateId>(id)));
      prefetch_slot(hashes[id % kAhead]);
    }
  }
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
  if (size_ != 0) rebuild_table(mask_ + 1);
}

}  // namespace fairlead
