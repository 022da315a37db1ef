// Which shared variables and channels a process looks at and changes, by the text of its code alone.
#pragma once

#include "program/network.hpp"

namespace fairlead {

// A set of small numbers that grows as they are added. Invariant: the last word is not 0, so equal sets are equal.
class NumberSet {
 public:
  void add(std::size_t number) {
    if (words_.size() <= number / 64) words_.resize(number / 64 + 1, 0);
    words_[number / 64] |= std::uint64_t{1} << (number % 64);
  }
  void add_range(std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(first + i);
  }
  [[nodiscard]] bool has(std::size_t number) const {
    return number / 64 < words_.size() && (words_[number / 64] >> (number % 64) & 1) != 0;
  }
  [[nodiscard]] bool meets(const NumberSet& other) const {
    for (std::size_t i = 0; i < std::min(words_.size(), other.words_.size()); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  [[nodiscard]] bool includes(const NumberSet& other) const {
    if (other.words_.size() > words_.size()) return false;
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
      if ((other.words_[i] & ~words_[i]) != 0) return false;
    }
    return true;
  }
  void unite(const NumberSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }
  // Calls `visit(number)` in ascending order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1) {
        visit(64 * i + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }
  [[nodiscard]] std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> found;
    for_each([&](std::size_t number) { found.push_back(number); });
    return found;
  }
  auto operator<=>(const NumberSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

// What code looks at and changes.
struct Footprint {
  NumberSet reads;
  NumberSet writes;

  // Adds what code does; `variables` is how many there are. Whether it can go wrong.
  bool add_code(const std::int32_t* code, std::size_t variables);
};

}  // namespace fairlead
