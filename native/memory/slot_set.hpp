// A set of slots of a shape that is not very wide.
#pragma once

#include <array>
#include <bit>

#include "memory/support.hpp"

namespace fairlead {

class SlotSet {
 public:
  static constexpr std::size_t kMost = 256;

  void add(std::size_t slot) { words_[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  void unite(const SlotSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] bool has(std::size_t slot) const { return (words_[slot / 64] >> (slot % 64) & 1) != 0; }
  [[nodiscard]] bool includes(const SlotSet& other) const {
    bool all = true;
    for (std::size_t i = 0; i < words_.size(); ++i) all = all && (other.words_[i] & ~words_[i]) == 0;
    return all;
  }
  [[nodiscard]] bool meets(const SlotSet& other) const {
    bool some = false;
    for (std::size_t i = 0; i < words_.size(); ++i) some = some || (other.words_[i] & words_[i]) != 0;
    return some;
  }
  [[nodiscard]] bool is_one() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count == 1;
  }

 private:
  std::array<std::uint64_t, kMost / 64> words_{};
};

}  // namespace fairlead
