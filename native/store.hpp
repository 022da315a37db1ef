// The set of states: packed records with dense ids, and a hash table over them.
#pragma once

#include "layout.hpp"

namespace fairlead {

// An exception while the table grows or states are packed anew leaves the store unusable; whoever catches it
// throws the whole graph away.
// Invariants: chunks_ holds size() * stride words; every id below size() stands in exactly one table slot;
// a slot is 0 if empty, else (upper half of the hash) << 32 | id + 1.
class Store {
 public:
  Store(Layout& layout, Budget& budget, Ticker& ticker);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const std::uint64_t* record(StateId id) const {
    return chunks_[id >> kChunkBits].get() + (id & (kChunkStates - 1)) * stride_;
  }

  [[nodiscard]] std::uint64_t hash(const std::uint64_t* words) const { return hash_words(words, stride_); }
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&table_[hash & mask_]); }
  // To be called when the slot has arrived: asks for the record it may point to.
  void prefetch_record(std::uint64_t hash) const {
    const std::uint64_t slot = table_[hash & mask_];
    if (slot != 0 && (slot >> 32) == (hash >> 32)) __builtin_prefetch(record(static_cast<StateId>(slot) - 1));
  }

  // The id of a packed state; `is_new` tells whether it was added.
  StateId insert(const std::uint64_t* words, std::uint64_t hash, bool& is_new);

  // Changes the layout by `admit` and packs all states anew; ids stay.
  template <typename Admit>
  void repack(Admit&& admit) {
    const Layout old = *layout_;
    admit(*layout_);
    layout_->arrange();
    repack_from(old);
  }

 private:
  static constexpr unsigned kChunkBits = 16;
  static constexpr std::size_t kChunkStates = std::size_t{1} << kChunkBits;

  [[nodiscard]] bool same_record(const std::uint64_t* a, const std::uint64_t* b) const {
    for (std::size_t i = 0; i < stride_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  void charge(std::uint64_t bytes) {
    budget_->charge(bytes);
    charged_ += bytes;
  }
  void release(std::uint64_t bytes) {
    budget_->release(bytes);
    charged_ -= bytes;
  }
  void repack_from(const Layout& old);
  void grow_table();
  void rebuild_table(std::size_t slots);
  std::unique_ptr<std::uint64_t[]> new_chunk(std::size_t stride);

  Layout* layout_;
  Budget* budget_;
  Ticker* ticker_;
  std::size_t stride_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  std::unique_ptr<std::uint64_t[]> table_;
  std::size_t mask_ = 0;
  std::uint64_t charged_ = 0;  // to the budget, and not yet given back
};

}  // namespace fairlead
