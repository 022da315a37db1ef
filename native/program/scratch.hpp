// Containers that code makes while it runs. Most are soon replaced by others, so they get a number of the model only if they
// are still there when the code ends.
#pragma once

#include "program/values.hpp"

namespace fairlead {

// Such a container is a negative word, until the code ends; numbers are never negative. Equal ones may be several words.
class Scratch {
 public:
  static bool has(std::int32_t word) { return word < 0; }

  void clear() {
    if (words_.capacity() > kMostWords) words_ = {};
    words_.clear();
    entries_.clear();
    free_.clear();
    limit_ = kMostWords;
  }

  // The items must not lie in here, unless they are `result`.
  std::int32_t add(ValueKind kind, std::span<const std::int32_t> items) {
    const std::size_t first = words_.size();
    words_.insert(words_.end(), items.begin(), items.end());
    return add_entry({kind, first, items.size()});
  }

  [[nodiscard]] ValueKind kind(std::int32_t word) const { return entry(word).kind; }
  [[nodiscard]] std::span<const std::int32_t> items(std::int32_t word) const {
    return {words_.data() + entry(word).first, entry(word).count};
  }

  [[nodiscard]] std::size_t bytes() const {
    return words_.size() * sizeof(std::int32_t) + entries_.size() * sizeof(Entry);
  }
  // Whether it is time to look for what is not used any more.
  [[nodiscard]] bool is_full() const { return words_.size() + entries_.size() > limit_; }
  // Forgets what no word of these stands for. A word that is an integer may look like one of ours, which does no harm.
  void keep_only(std::initializer_list<std::span<const std::int32_t>> used);

  // The items of a container, with a number or here. Those of one with a number are remembered for a while, since code often asks
  // for the same value of a variable: until another value is opened in the same place.
  std::span<const std::int32_t> open(std::int32_t word, std::size_t place, const Values& values) {
    if (has(word)) return items(word);
    Opened& known = opened_[place][static_cast<std::size_t>(word) % kOpened];
    if (known.number != word) {
      known.number = -1;
      values.read(word, known.items);
      known.number = word;
    }
    return known.items;
  }

  // Where a result is made.
  std::vector<std::int32_t> result;

 private:
  struct Entry {
    ValueKind kind;
    std::size_t first;
    std::size_t count;
  };
  struct Opened {
    std::int32_t number = -1;
    std::vector<std::int32_t> items;
  };
  static constexpr std::size_t kOpened = 4;
  static constexpr std::size_t kMostWords = std::size_t{1} << 20;

  std::int32_t add_entry(Entry entry) {
    if (free_.empty()) {
      entries_.push_back(entry);
      return -static_cast<std::int32_t>(entries_.size());
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    entries_[number] = entry;
    return -static_cast<std::int32_t>(number) - 1;
  }
  [[nodiscard]] const Entry& entry(std::int32_t word) const { return entries_[static_cast<std::size_t>(-(word + 1))]; }

  std::array<std::array<Opened, kOpened>, 3> opened_;
  std::vector<std::int32_t> words_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;  // entries that can be used again
  std::size_t limit_ = kMostWords;
};

inline void Scratch::keep_only(std::initializer_list<std::span<const std::int32_t>> used) {
  std::vector<bool> is_used(entries_.size(), false);
  for (const std::span<const std::int32_t> words : used) {
    for (const std::int32_t word : words) {
      if (has(word) && static_cast<std::size_t>(-(word + 1)) < is_used.size()) {
        is_used[static_cast<std::size_t>(-(word + 1))] = true;
      }
    }
  }
  std::vector<std::int32_t> kept;
  free_.clear();
  for (std::size_t number = 0; number < entries_.size(); ++number) {
    Entry& entry = entries_[number];
    if (!is_used[number]) {
      entry.count = 0;
      free_.push_back(static_cast<std::uint32_t>(number));
      continue;
    }
    const auto from = words_.begin() + static_cast<std::ptrdiff_t>(entry.first);
    entry.first = kept.size();
    kept.insert(kept.end(), from, from + static_cast<std::ptrdiff_t>(entry.count));
  }
  words_ = std::move(kept);
  limit_ = 2 * words_.size() + entries_.size() + kMostWords;
}

}  // namespace fairlead
