// The set of states: packed records with dense ids, and a hash table over them.
//
// Several threads can bring states at the same time. What they bring is numbered: an arrival. arrive() finds the id of a
// state that was there before; one that is new takes a slot for the arrival with the lowest number that is this state.
// When all have arrived, settle() gives ids to those that have a slot. If that is done in the order of arrivals, states get
// the same ids as if one thread had added one after the other.
#pragma once

#include <array>

#include "program/layout.hpp"

namespace fairlead {

// An exception while the table grows or states are packed again leaves the store unusable; whoever catches it
// throws the whole graph away.
// Invariants: chunks_ holds size() * stride words; every id below size() stands in exactly one slot;
// a slot is 0 if empty, kForgotten if what was there is to be ignored, else tag << 32 | id + 1. Slots of a part are in
// the order of tags, but for collisions, so that a part grows without looking at records.
class Store {
 public:
  static constexpr unsigned kPartBits = 4;
  static constexpr std::size_t kParts = std::size_t{1} << kPartBits;

  Store(Layout& layout, Budget& budget, Ticker& ticker);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  // What the records take, and the hash table.
  [[nodiscard]] std::size_t record_bytes() const;
  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] const std::uint64_t* record(StateId id) const {
    return chunks_[id >> kChunkBits] + (id & (kChunkStates - 1)) * stride_;
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
    if (slot >> 32 == tag_of(hash) && id < size_) __builtin_prefetch(record(id));
  }

  // The id of a packed state; `is_new` tells whether it was added.
  StateId insert(const std::uint64_t* words, std::uint64_t hash, bool& is_new);

  // The id of a packed state that may be known, or kNone.
  [[nodiscard]] StateId find(const std::uint64_t* words, std::uint64_t hash) const;

  // --- states that several threads bring at the same time
  // What became of an arrival: it has an id, or else a slot, which is its own if `took_slot`.
  struct Arrived {
    StateId id;
    std::uint64_t* slot;
    bool took_slot;
  };
  // What the parts take again that have no room for so many; and makes it, one thread for each part.
  [[nodiscard]] std::size_t room_bytes(std::size_t arrivals) const;
  void make_room(std::size_t part, std::size_t arrivals);
  // `words_of(arrival)` are the words of another one; `displaced(arrival)` is called when one loses its slot.
  template <typename WordsOf, typename Displaced>
  Arrived arrive(const std::uint64_t* words, std::uint64_t hash, std::uint32_t arrival, WordsOf&& words_of,
                 Displaced&& displaced);
  // Room for the records of so many more.
  void expect(std::size_t more) { reserve_records(size_ + more); }
  // Gives the arrival in a slot its id: size() + `number`.
  void settle(std::uint64_t* slot, std::size_t number, const std::uint64_t* words) {
    const auto id = static_cast<StateId>(size_ + number);
    *slot = (*slot & kTagMask) | (std::uint64_t{id} + 1);
    put_record(id, words);
  }
  // The id in a slot that is settled.
  [[nodiscard]] static StateId settled(const std::uint64_t* slot) { return static_cast<StateId>(*slot) - 1; }
  // Takes back an arrival that has a slot.
  static void forget(std::uint64_t* slot) { *slot = kForgotten; }
  // So many were settled; and slots of each part were taken.
  void finish(std::size_t added) { size_ += added; }
  void note_taken(std::size_t part, std::size_t slots) { parts_[part].used += slots; }

  // Changes the layout by `admit` and packs all states again; ids stay.
  template <typename Admit>
  void repack(Admit&& admit) {
    const Layout old = *layout_;
    is_whole_ = false;
    admit(*layout_);
    layout_->arrange();
    repack_from(old);
    is_whole_ = true;
  }

  // --- checkpoints (checkpoint.cpp)
  // Whether all records are packed as the layout says. It is not while they are packed again.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  // The records of the first states.
  void save(CheckpointWriter& out, std::size_t count) const;
  // Replaces all states; the layout is to be loaded before.
  void load(CheckpointReader& in, std::size_t count);

 private:
  static constexpr unsigned kChunkBits = 18;
  static constexpr std::size_t kChunkStates = std::size_t{1} << kChunkBits;

  static constexpr std::uint64_t kTagMask = ~std::uint64_t{0xffffffff};
  static constexpr std::uint64_t kForgotten = kTagMask;  // no id: it is none of the states

  struct Part {
    Block memory;
    std::uint64_t* slots = nullptr;
    std::uint64_t capacity = 0;
    std::uint64_t used = 0;
  };

  [[nodiscard]] static std::uint64_t tag_of(std::uint64_t hash) { return (hash >> (32 - kPartBits)) & 0xffffffffu; }
  // Where a tag belongs, before collisions.
  [[nodiscard]] static std::size_t place(const Part& part, std::uint64_t tag) { return tag * part.capacity >> 32; }
  [[nodiscard]] static std::size_t next(const Part& part, std::size_t at) {
    return at + 1 == part.capacity ? 0 : at + 1;
  }

  [[nodiscard]] bool same_record(const std::uint64_t* a, const std::uint64_t* b) const {
    for (std::size_t i = 0; i < stride_; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  // The id of a packed state, or kNone and the free slot where it belongs.
  StateId look(const Part& part, const std::uint64_t* words, std::uint64_t tag, std::size_t& at) const;
  void repack_from(const Layout& old);
  void rebuild_parts();
  void grow(Part& part, std::uint64_t capacity);
  void put_record(StateId id, const std::uint64_t* words);
  void reserve_records(std::size_t count);
  Block new_chunk(std::size_t stride, bool large);

  Layout* layout_;
  Budget* budget_;
  Ticker* ticker_;
  std::size_t stride_;
  std::size_t size_ = 0;
  bool is_whole_ = true;
  std::vector<std::uint64_t*> chunks_;  // the memory of blocks_
  std::vector<Block> blocks_;
  std::array<Part, kParts> parts_;
};

template <typename WordsOf, typename Displaced>
Store::Arrived Store::arrive(const std::uint64_t* words, std::uint64_t hash, std::uint32_t arrival, WordsOf&& words_of,
                             Displaced&& displaced) {
  Part& part = parts_[part_of(hash)];
  const std::uint64_t tag = tag_of(hash);
  const std::uint64_t own = tag << 32 | (size_ + arrival + 1);
  for (std::size_t at = place(part, tag);;) {
    const std::atomic_ref<std::uint64_t> slot(part.slots[at]);
    std::uint64_t found = slot.load(std::memory_order_acquire);
    if (found == 0 && slot.compare_exchange_strong(found, own, std::memory_order_acq_rel)) {
      return {kNone, &part.slots[at], true};
    }
    const auto id = static_cast<StateId>(found) - 1;
    if (found >> 32 != tag || found == kForgotten) {
      at = next(part, at);
    } else if (id < size_) {
      if (same_record(record(id), words)) return {id, nullptr, false};
      at = next(part, at);
    } else {
      const auto other = static_cast<std::uint32_t>(id - size_);
      if (!same_record(words_of(other), words)) {
        at = next(part, at);
      } else if (other < arrival) {
        return {kNone, &part.slots[at], false};
      } else if (slot.compare_exchange_strong(found, own, std::memory_order_acq_rel)) {
        displaced(other);
        return {kNone, &part.slots[at], true};
      }  // else it has changed: look again
    }
  }
}

}  // namespace fairlead
