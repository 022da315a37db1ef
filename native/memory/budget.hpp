// The memory budget of a check, and the blocks of memory that bulk data lies in.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "memory/fault_injection.hpp"

namespace fairlead {

// What can be used up: the memory budget, the number of states, the time or the room on disk.
enum class Limit { kMemory, kStates, kTime, kDisk };

struct LimitReached {
  Limit limit;
};

// How a block is used. What is read mostly in order can move to disk at any time. What is examined in no order stays where
// it is: it is on disk from the start, if at all.
enum class Access { kInOrder, kInNoOrder };

// A place for blocks beyond the budget (disk.hpp).
class Overflow {
 public:
  virtual ~Overflow() = default;
  // Memory for a block, charged to the budget as far as it is not on disk.
  virtual void* take(std::size_t bytes, Access access) = 0;
  virtual void give_back(void* block) noexcept = 0;
  // Moves blocks to disk until so much more can be charged; false if there are none left.
  virtual bool free_memory(std::uint64_t bytes) = 0;
};

// Something that is kept because there is memory, and can be done without.
class Spare {
 public:
  virtual ~Spare() = default;
  // Gives back some memory; false if there is nothing left to be given up. Nobody looks at it or changes it meanwhile.
  virtual bool give_up() = 0;
};

// The memory the engine's own structures may take.
class Budget {
 public:
  explicit Budget(std::uint64_t limit) : limit_(limit) {}

  void charge(std::uint64_t bytes) {
    while (!try_charge(bytes)) {
      const bool made_room =
          overflow_ != nullptr ? !fault_injection.fails_for_good() && overflow_->free_memory(bytes) : give_up_spares();
      if (!made_room) throw LimitReached{Limit::kMemory};
    }
  }
  [[nodiscard]] bool try_charge(std::uint64_t bytes) {
    if (fault_injection.fails()) return false;
    const std::uint64_t used = used_.fetch_add(bytes) + bytes;
    if (used > limit_) {
      used_.fetch_sub(bytes);
      return false;
    }
    std::uint64_t peak = peak_.load();
    while (used > peak && !peak_.compare_exchange_weak(peak, used)) {
    }
    return true;
  }
  void release(std::uint64_t bytes) { used_.fetch_sub(bytes); }
  // Whether so much can be charged and nothing has to be given up for it.
  [[nodiscard]] bool has_room(std::uint64_t bytes) const {
    return overflow_ != nullptr || used_.load() + bytes <= limit_;
  }
  void add_spare(Spare& spare) { spares_.push_back(&spare); }
  void remove_spare(Spare& spare) { std::erase(spares_, &spare); }
  void set_limit(std::uint64_t limit) { limit_ = limit; }
  // To be set before anything is charged.
  void set_overflow(Overflow* overflow) { overflow_ = overflow; }

  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] std::uint64_t used() const { return used_.load(); }
  [[nodiscard]] std::uint64_t peak() const { return peak_.load(); }
  [[nodiscard]] Overflow* overflow() const { return overflow_; }

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_ = 0;
  std::atomic<std::uint64_t> peak_ = 0;
  Overflow* overflow_ = nullptr;
  std::mutex giving_up_;  // several threads may charge at the same time
  std::vector<Spare*> spares_;

  bool give_up_spares();
};

// Memory for bulk data, not initialised. Its address never changes, even when it moves to disk.
class Block {
 public:
  Block() = default;
  // On `large_pages`, where the system has such and the block fills them.
  Block(Budget& budget, std::size_t bytes, Access access, bool large_pages);
  Block(Block&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), memory_(other.memory_), bytes_(other.bytes_) {}
  Block& operator=(Block&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Block();

  template <typename T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_);
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  Budget* budget_ = nullptr;  // none: there is no memory
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace fairlead
