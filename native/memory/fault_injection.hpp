// Makes allocations fail on purpose, so that tests can see that the engine survives it at any point.
#pragma once

#include <atomic>
#include <cstdint>

namespace fairlead {

// Counts the points at which memory can run out, and says at which it does. Off unless a test arms it: then one relaxed read
// is all that it costs. One for the process, as memory is.
class FaultInjection {
 public:
  // The allocation with this number fails, counted from 1; 0 turns it off. If it is `lasting`, so do all after it.
  void arm(std::uint64_t number, bool lasting) {
    armed_.store(false);
    number_ = number;
    lasting_ = lasting;
    count_.store(0);
    armed_.store(number != 0);
  }
  [[nodiscard]] bool fails() {
    if (!armed_.load(std::memory_order_relaxed)) return false;
    const std::uint64_t count = count_.fetch_add(1) + 1;
    return lasting_ ? count >= number_ : count == number_;
  }
  // Whether nothing can be allocated any more, whatever is given up.
  [[nodiscard]] bool fails_for_good() const {
    return armed_.load(std::memory_order_relaxed) && lasting_ && count_.load() >= number_;
  }
  // How many allocations there were since it was armed.
  [[nodiscard]] std::uint64_t count() const { return count_.load(); }

 private:
  std::atomic<bool> armed_ = false;
  std::atomic<std::uint64_t> count_ = 0;
  std::uint64_t number_ = 0;
  bool lasting_ = false;
};

inline FaultInjection fault_injection;

}  // namespace fairlead
