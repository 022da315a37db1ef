// What one edge tests, looks at and changes, as far as its code tells: enough to say that two edges can be taken in either
// order, and that one edge cannot make another possible.
#pragma once

#include <limits>

#include "program/footprint.hpp"

namespace fairlead {

// Whether a variable lies within bounds, or outside of them: a conjunct of a guard. A test with one bound is `inside`.
struct Test {
  static constexpr std::int64_t kLowest = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();

  std::uint32_t variable = 0;
  std::int64_t low = kLowest;
  std::int64_t high = kHighest;
  bool inside = true;

  [[nodiscard]] bool holds(std::int64_t value) const { return (value >= low && value <= high) == inside; }
  // Whether no value passes both; of the same variable.
  [[nodiscard]] bool excludes(const Test& other) const;
  auto operator<=>(const Test&) const = default;
};

enum class ChangeKind : std::uint8_t {
  kStore,  // a constant
  kAdd,  // a constant that is not 0
  kEnqueue,  // of the messages in a buffer: one is put behind the last
  kDequeue,  // of the same: the first is taken out
  kAny,
};

struct Change {
  std::uint32_t variable = 0;
  ChangeKind kind = ChangeKind::kAny;
  std::int64_t value = 0;  // that is stored or added; of messages: the variable with the length of the buffer
  std::uint32_t width = 0;  // of messages: how many variables one takes
};

struct EdgeSummary {
  bool never_enabled = false;  // the guard is false whatever the variables are
  bool guard_can_fail = false;  // after so many of the tests
  std::size_t tests_before_failure = 0;
  std::vector<Test> tests;  // conjuncts of the guard
  NumberSet rest;  // what the other conjuncts look at
  bool has_rest = false;
  NumberSet reads;  // by what is evaluated if the guard holds: the effect
  std::vector<Change> changes;  // at most one of each variable
  std::vector<Test> failures;  // the effect may fail where one of these holds
  bool fails_by_reads = false;  // or because of anything that it looks at

  // The variables that the guard looks at.
  [[nodiscard]] NumberSet guard_reads() const;

  // The codes are kEnd-terminated; parameters whose values are known have been filled in.
  void add_guard(const std::int32_t* code, std::size_t variables);
  void add_update(const std::int32_t* code, std::size_t variables);
  // Of the label, the target or a message.
  void add_expression(const std::int32_t* code, std::size_t variables);

 private:
  void add_statement(std::span<const std::int32_t> statement, std::size_t variables);
  bool add_increment(std::span<const std::int32_t> statement);
  bool add_queue_operation(std::span<const std::int32_t> statement, std::size_t variables);
  void add_change(const Change& change);
};

// Whether two edges of different processes can be taken in either order, with the same result, wherever both are enabled.
[[nodiscard]] bool accord(const EdgeSummary& one, const EdgeSummary& other);

// Whether a change can be the one that makes a test true whose variable has a value too low, or else too high (for one that
// is not `inside`: whatever the value). `adds` says whether anything is ever added to the variable.
[[nodiscard]] bool may_enable(const Change& change, const Test& test, bool too_low, bool adds);

}  // namespace fairlead
