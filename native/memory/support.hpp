// Shared ground of the engine: ids, hashing, growing arrays that charge the memory budget, and the ticker
// through which long work reports progress and is stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "memory/budget.hpp"

namespace fairlead {

using StateId = std::uint32_t;
using LocalId = std::uint32_t;
using LabelId = std::uint32_t;
using ActionId = std::uint32_t;
using ProcessId = std::uint32_t;
using ShapeId = std::uint32_t;

inline constexpr std::uint32_t kNone = 0xffffffffu;

// Raised in a thread that finds something missing in a table that others read at the same time. Whoever catches it
// lets the work be done again when the tables may grow.
struct TablesFrozen {};

namespace detail {
inline thread_local bool tables_are_frozen = false;
}

// To be asked before a table that threads share is changed.
[[nodiscard]] inline bool tables_may_grow() { return !detail::tables_are_frozen; }
inline void require_growth() {
  if (!tables_may_grow()) throw TablesFrozen{};
}

// While it lives, this thread changes no table that others read.
class FrozenTables {
 public:
  FrozenTables() : before_(std::exchange(detail::tables_are_frozen, true)) {}
  ~FrozenTables() { detail::tables_are_frozen = before_; }
  FrozenTables(const FrozenTables&) = delete;
  FrozenTables& operator=(const FrozenTables&) = delete;

 private:
  bool before_;
};

// Called now and then by every long loop. At most every few tens of milliseconds it asks the outside
// whether to continue; the outside may throw.
class Ticker {
 public:
  using Callback = std::function<void()>;

  void set_callback(Callback callback) { callback_ = std::move(callback); }
  // Work of the engine itself, to be done every few milliseconds.
  void set_chore(Callback chore) { chore_ = std::move(chore); }

  // Cheap enough for inner loops: looks at the clock once in 256 calls.
  void tick() {
    if ((++calls_ & 0xff) == 0) tick_slowly();
  }
  void tick_slowly() {
    const auto now = std::chrono::steady_clock::now();
    if (chore_ && now - last_chore_ >= std::chrono::milliseconds(4)) {
      last_chore_ = now;
      chore_();
    }
    if (now - last_ < std::chrono::milliseconds(40)) return;
    last_ = now;
    if (callback_) callback_();
  }

 private:
  Callback callback_;
  Callback chore_;
  std::uint64_t calls_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_chore_ = last_;
};

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_words(const std::uint64_t* words, std::size_t count) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull;
  for (std::size_t i = 0; i < count; ++i) hash = mix(hash ^ words[i], 0xd6e8feb86659fd93ull);
  return mix(hash, 0xa0761d6478bd642full);
}

// A growing array in chunks: growing never moves elements, so that the peak is what is stored.
// Invariant: chunks_ has just the chunks needed for size_ elements, each of kChunk elements; blocks_ owns their memory.
template <typename T, unsigned kBits = 18>
class ChunkedVector {
 public:
  static_assert(std::is_trivially_destructible_v<T>);
  static constexpr std::size_t kChunk = std::size_t{1} << kBits;

  explicit ChunkedVector(Budget& budget) : budget_(&budget) {}
  ChunkedVector(const ChunkedVector&) = delete;
  ChunkedVector& operator=(const ChunkedVector&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }
  // What its chunks take.
  [[nodiscard]] std::size_t bytes() const { return chunks_.size() * kChunk * sizeof(T); }
  T& operator[](std::size_t i) { return chunks_[i >> kBits][i & (kChunk - 1)]; }
  const T& operator[](std::size_t i) const { return chunks_[i >> kBits][i & (kChunk - 1)]; }

  void push_back(const T& value) {
    resize_uninitialised(size_ + 1);
    (*this)[size_ - 1] = value;
  }

  void prefetch(std::size_t i) const { __builtin_prefetch(&(*this)[i]); }

  T& back() { return (*this)[size_ - 1]; }
  void pop_back() { --size_; }

  // Elements beyond the old size get the value.
  void resize(std::size_t size, const T& value) {
    const std::size_t old = size_;
    resize_uninitialised(size);
    for (std::size_t i = old; i < size; ++i) (*this)[i] = value;
  }

  void resize_uninitialised(std::size_t size) {
    while (chunks_.size() * kChunk < size) {
      blocks_.emplace_back(*budget_, kChunk * sizeof(T), Access::kInOrder, false);
      chunks_.push_back(blocks_.back().template as<T>());
    }
    size_ = size;
  }

  // A place for `count` consecutive elements (count <= kChunk); skips the rest of a chunk if needed.
  std::size_t reserve_run(std::size_t count) {
    const std::size_t start = next_run(count);
    resize_uninitialised(start + count);
    return start;
  }

  // How many chunks more reserve_run(count) takes.
  [[nodiscard]] std::size_t new_chunks(std::size_t count) const {
    const std::size_t needed = (next_run(count) + count + kChunk - 1) >> kBits;
    return needed > chunks_.size() ? needed - chunks_.size() : 0;
  }

  // Forgets the elements of the last chunk and frees its memory; false if there is none.
  bool drop_last_chunk() {
    if (chunks_.empty()) return false;
    chunks_.pop_back();
    blocks_.pop_back();
    size_ = std::min(size_, chunks_.size() * kChunk);
    return true;
  }

  // The first elements, in pieces that lie together: `visit(first, count)`.
  template <typename Visit>
  void for_each_piece(std::size_t count, Visit&& visit) {
    for (std::size_t at = 0; at < count; at += kChunk) visit(chunks_[at >> kBits], std::min(kChunk, count - at));
  }

  void clear() {
    chunks_.clear();
    blocks_.clear();
    size_ = 0;
  }

 private:
  [[nodiscard]] std::size_t next_run(std::size_t count) const {
    const std::size_t left = kChunk - (size_ & (kChunk - 1));
    return count > left ? size_ + left : size_;
  }

  Budget* budget_;
  std::vector<T*> chunks_;
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

// Numbers stamped with a round, so that clearing them costs nothing.
class Stamps {
 public:
  void clear() { ++round_; }
  // Whether x was not stamped in this round; stamps it.
  bool stamp(std::uint32_t x) {
    if (x >= rounds_.size()) rounds_.resize(x + std::size_t{1}, 0);
    if (rounds_[x] == round_) return false;
    rounds_[x] = round_;
    return true;
  }
  [[nodiscard]] bool has(std::uint32_t x) const { return x < rounds_.size() && rounds_[x] == round_; }
  void remove(std::uint32_t x) {
    if (has(x)) rounds_[x] = 0;
  }

 private:
  std::uint64_t round_ = 1;
  std::vector<std::uint64_t> rounds_;
};

// Interns keys that are short sequences of 32-bit numbers; ids are dense.
class SequenceInterner {
 public:
  // The id of a sequence, and whether it is new.
  std::pair<std::uint32_t, bool> intern(std::span<const std::uint32_t> key) {
    const std::uint64_t hash = hash_of(key);
    if (const std::uint32_t known = find(key, hash); known != kNone) return {known, false};
    require_growth();
    return {add(key, hash), true};
  }
  // The same where only one thread ever looks.
  std::pair<std::uint32_t, bool> intern_alone(std::span<const std::uint32_t> key) {
    const std::uint64_t hash = hash_of(key);
    if (const std::uint32_t known = find(key, hash); known != kNone) return {known, false};
    return {add(key, hash), true};
  }

  // The id of a sequence that may be known, or kNone.
  [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> key) const { return find(key, hash_of(key)); }

  [[nodiscard]] std::span<const std::uint32_t> get(std::uint32_t id) const {
    const std::size_t end = id + 1 < offsets_.size() ? offsets_[id + 1] : pool_.size();
    return {pool_.data() + offsets_[id], end - offsets_[id]};
  }

  [[nodiscard]] std::size_t size() const { return offsets_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return (slots_.capacity() + pool_.capacity()) * sizeof(std::uint32_t) + offsets_.capacity() * sizeof(std::size_t);
  }

 private:
  std::uint32_t add(std::span<const std::uint32_t> key, std::uint64_t hash) {
    if ((offsets_.size() + 1) * 4 > slots_.size() * 3) grow();
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    const auto id = static_cast<std::uint32_t>(offsets_.size());
    slots_[at] = id + 1;
    offsets_.push_back(pool_.size());
    pool_.insert(pool_.end(), key.begin(), key.end());
    return id;
  }
  static std::uint64_t hash_of(std::span<const std::uint32_t> key) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ key.size();
    for (const std::uint32_t part : key) hash = mix(hash ^ part, 0xd6e8feb86659fd93ull);
    return hash;
  }
  [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> key, std::uint64_t hash) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = hash & (slots_.size() - 1); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (equal(slots_[at] - 1, key)) return slots_[at] - 1;
    }
    return kNone;
  }
  [[nodiscard]] bool equal(std::uint32_t id, std::span<const std::uint32_t> key) const {
    const auto known = get(id);
    return std::equal(known.begin(), known.end(), key.begin(), key.end());
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    for (std::uint32_t id = 0; id < offsets_.size(); ++id) {
      std::size_t at = hash_of(get(id)) & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id + 1;
    }
  }

  std::vector<std::uint32_t> slots_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> pool_;
};

}  // namespace fairlead
