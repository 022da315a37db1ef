// The values of a model that are not integers, numbered densely. Arrays and the containers of the library are kept here, equal
// ones once; of any other value there is only its number, and Python knows the rest.
#pragma once

#include <array>
#include <mutex>

#include "memory/support.hpp"

namespace fairlead {

// What kind of value a number stands for. All but the first are sequences of integers: a set in ascending order, a stack from
// the top down, a hash table as key, value, key, value, in ascending order of the keys.
enum class ValueKind : std::uint8_t { kOpaque, kIntegers, kBooleans, kSet, kList, kQueue, kStack, kHashTable };

// A table to which several threads can add. Numbers are given in the order of arrivals and never change, and nothing moves in
// memory, so reading needs no lock.
//
// A value is a run of bytes: its length and kind, then its items, as numbers of seven bits in each byte. No such run is the
// beginning of another one, so runs are equal iff all bytes of one are found in the other.
class Values {
 public:
  Values() = default;
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  // The number of a container. What the table grows by is charged to the budget; without one it is charged by `settle`.
  std::int32_t intern(ValueKind kind, std::span<const std::int32_t> items, Budget* budget);
  // The same for a run of bytes that `encoded` has given; throws std::invalid_argument if it is none.
  std::int32_t restore(std::span<const std::uint8_t> run);
  // The number of a new value of which only Python knows more.
  std::int32_t add_opaque();
  // The budget of a check that begins: the values of before are charged to it.
  void set_budget(Budget& budget);
  // Charges what has been added without a budget.
  void settle(Budget& budget);

  [[nodiscard]] std::size_t count() const { return next_.load(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(); }
  [[nodiscard]] ValueKind kind(std::int32_t number) const;
  // How many items a container has, and all of them.
  [[nodiscard]] std::size_t size(std::int32_t number) const;
  void read(std::int32_t number, std::vector<std::int32_t>& items) const;
  // A container as it stands in event names.
  [[nodiscard]] std::string text(std::int32_t number) const;
  // The run of bytes of a value; empty if it is not kept here.
  [[nodiscard]] std::span<const std::uint8_t> encoded(std::int32_t number) const;

 private:
  // A part of the hash table, with the bytes of its values; in front of each run is the number of the value, so that one that
  // is looked up is compared and known in one place. A slot has the uppermost bits of a hash and says where the value is: the
  // number of a chunk + 1, and the place in it.
  struct Shard {
    std::mutex lock;
    std::vector<std::uint64_t> slots;
    std::size_t used = 0;
    std::vector<std::unique_ptr<std::uint8_t[]>> chunks;
    std::size_t next = 0;  // in the last chunk, and how many bytes are left there
    std::size_t left = 0;
    std::size_t next_chunk = 256;  // in bytes; each is twice the one before, up to a limit

    // Where the value of a slot is.
    [[nodiscard]] std::uint8_t* at(std::uint64_t slot) const;
  };
  using Place = const std::uint8_t*;

  static constexpr unsigned kShardBits = 4;
  static constexpr unsigned kFirstLevelBits = 6;
  static constexpr unsigned kLevels = 26;

  std::int32_t intern_run(std::span<const std::uint8_t> run, Budget* budget);
  void grow_slots(Shard& shard, Budget* budget);
  // Copies a run, with room for its number in front of it; returns where that is, as in a slot.
  std::uint64_t copy(Shard& shard, std::span<const std::uint8_t> run, Budget* budget);
  std::int32_t add_number(Place place, Budget* budget);
  void charge(std::uint64_t bytes, Budget* budget);
  [[nodiscard]] Place place(std::int32_t number) const;

  std::array<Shard, std::size_t{1} << kShardBits> shards_;
  // Where the values are, by number: level k has places for 2^(k + kFirstLevelBits) of them.
  std::array<std::atomic<Place*>, kLevels> levels_{};
  std::array<std::unique_ptr<Place[]>, kLevels> owned_;
  std::mutex growing_;
  std::atomic<std::uint32_t> next_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::uint64_t not_charged_ = 0;  // only Python adds without a budget
  const Budget* charged_to_ = nullptr;  // only to be compared
};

}  // namespace fairlead
