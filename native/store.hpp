// The set of states: packed records with dense ids, and a hash table over them.
//
// The table is in parts, chosen by the first bits of the hash, so that several threads can add states at the same time,
// each to parts of its own. States that arrive together are added in three rounds: look_up() each of them, number() those
// that are new, in the order of their arrival, and settle() each of them. Their ids are then the same as if they had been
// added one after the other.
#pragma once

#include <array>

#include "layout.hpp"

namespace fairlead {

// An exception while the table grows or states are packed anew leaves the store unusable; whoever catches it
// throws the whole graph away.
// Invariants: chunks_ holds size() * stride words; every id below size() stands in exactly one slot;
// a slot is 0 if empty, else tag << 32 | id + 1. Slots of a part are in the order of tags, but for collisions, so that
// a part grows without looking at records.
class Store {
 public:
  static constexpr unsigned kPartBits = 6;
  static constexpr std::size_t kParts = std::size_t{1} << kPartBits;

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
  [[nodiscard]] static std::size_t part_of(std::uint64_t hash) { return hash >> (64 - kPartBits); }
  void prefetch_slot(std::uint64_t hash) const {
    const Part& part = parts_[part_of(hash)];
    __builtin_prefetch(&part.slots[place(part, tag_of(hash))]);
  }
  // To be called when the slot has arrived: asks for the record it may point to.
  void prefetch_record(std::uint64_t hash) const {
    const Part& part = parts_[part_of(hash)];
    const std::uint64_t slot = part.slots[place(part, tag_of(hash))];
    const StateId id = static_cast<StateId>(slot) - 1;
    if (slot != 0 && slot >> 32 == tag_of(hash) && id < size_) __builtin_prefetch(record(id));
  }

  // The id of a packed state; `is_new` tells whether it was added.
  StateId insert(const std::uint64_t* words, std::uint64_t hash, bool& is_new);

  // --- states that arrive together; `arrival` numbers them from 0 on
  void expect(std::size_t arrivals);
  // Makes room in a part for so many; by the thread that looks up those of the part.
  void make_room(std::size_t part, std::size_t arrivals);
  // The id of a state that was there, or size() + the arrival that is the same state and came first.
  StateId look_up(const std::uint64_t* words, std::uint64_t hash, std::uint32_t arrival);
  // Numbers the new ones; how many they are.
  std::size_t number();
  [[nodiscard]] bool is_new(std::uint32_t arrival) const { return arrived_new_[arrival] != 0; }
  // The id of what look_up() gave, when the new ones are numbered.
  [[nodiscard]] StateId settled(StateId looked_up) const {
    return looked_up < size_ ? looked_up : ids_[looked_up - size_];
  }
  // Puts a new one in its place; by the thread that looked it up.
  void settle(std::uint64_t hash, std::uint32_t arrival);
  // All are settled.
  void finish() { size_ += arrived_; }

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

  struct Part {
    std::unique_ptr<std::uint64_t[]> slots;
    std::uint64_t capacity = 0;
    std::uint64_t used = 0;
  };

  [[nodiscard]] static std::uint64_t tag_of(std::uint64_t hash) {
    return (hash >> (32 - kPartBits)) & 0xffffffffu;
  }
  // Where a tag belongs, before collisions.
  [[nodiscard]] static std::size_t place(const Part& part, std::uint64_t tag) { return tag * part.capacity >> 32; }
  [[nodiscard]] static std::size_t next(const Part& part, std::size_t at) { return at + 1 == part.capacity ? 0 : at + 1; }

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
  void rebuild_parts();
  void grow(Part& part, std::uint64_t capacity);
  void put_record(StateId id, const std::uint64_t* words);
  void reserve_records(std::size_t count);
  std::unique_ptr<std::uint64_t[]> new_chunk(std::size_t stride);

  Layout* layout_;
  Budget* budget_;
  Ticker* ticker_;
  std::size_t stride_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  std::array<Part, kParts> parts_;
  std::atomic<std::uint64_t> charged_ = 0;  // to the budget, and not yet given back
  // of states that arrive together
  std::size_t arrived_ = 0;                  // how many are new
  std::vector<std::uint64_t> arrived_words_;  // of those that are new
  std::vector<std::uint8_t> arrived_new_;
  std::vector<StateId> ids_;
};

}  // namespace fairlead
