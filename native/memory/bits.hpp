// A set of numbers below a bound, one bit each.
#pragma once

#include <bit>

#include "memory/support.hpp"

namespace fairlead {

class BitSet {
 public:
  BitSet(Budget& budget, std::size_t size, bool value = false) : budget_(&budget), size_(size) {
    budget.charge(word_count() * sizeof(std::uint64_t));
    words_.assign(word_count(), value ? ~std::uint64_t{0} : 0);
    if (value) clear_tail();
  }
  BitSet(BitSet&& other) noexcept
      : budget_(other.budget_), size_(std::exchange(other.size_, 0)), words_(std::move(other.words_)) {}
  BitSet(const BitSet&) = delete;
  BitSet& operator=(const BitSet&) = delete;
  BitSet& operator=(BitSet&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(size_, other.size_);
    words_.swap(other.words_);
    return *this;
  }
  ~BitSet() { budget_->release(word_count() * sizeof(std::uint64_t)); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool has(std::size_t i) const { return (words_[i >> 6] >> (i & 63) & 1) != 0; }
  void add(std::size_t i) { words_[i >> 6] |= std::uint64_t{1} << (i & 63); }

  void remove(std::size_t i) { words_[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
  [[nodiscard]] std::size_t count() const {
    std::size_t found = 0;
    for (const std::uint64_t word : words_) found += static_cast<std::size_t>(std::popcount(word));
    return found;
  }
  // The greatest number in a set that is not empty.
  [[nodiscard]] std::size_t last() const {
    std::size_t i = words_.size() - 1;
    while (words_[i] == 0) --i;
    return 64 * i + 63 - static_cast<std::size_t>(std::countl_zero(words_[i]));
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
  void unite(const BitSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void subtract(const BitSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }

  [[nodiscard]] std::size_t word_count() const { return (size_ + 63) / 64; }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return words_[i]; }
  void set_word(std::size_t i, std::uint64_t word) { words_[i] = word; }
  // Bits beyond the size are never set: what complements words calls this afterwards.
  void clear_tail() {
    if ((size_ & 63) != 0) words_.back() &= (std::uint64_t{1} << (size_ & 63)) - 1;
  }

 private:
  Budget* budget_;
  std::size_t size_;
  std::vector<std::uint64_t> words_;
};

}  // namespace fairlead
