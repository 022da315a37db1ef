// Conditions that are decided on a packed state, without unpacking it.
//
// Most guards and propositions compare variables with constants. Such a condition is a chain of tests, each of one
// variable: whether its value lies between two bounds, and which test comes next in either case.
#pragma once

#include <optional>

#include "program/layout.hpp"

namespace fairlead {

// Where a chain continues; the last two numbers are its ends.
using TestNumber = std::uint32_t;
inline constexpr TestNumber kHolds = kNone;
inline constexpr TestNumber kFails = kNone - 1;

// Whether a variable has a value from `low` to `high`.
struct ValueTest {
  std::size_t variable;
  std::int64_t low;
  std::int64_t high;
  TestNumber if_inside;
  TestNumber if_outside;
};

// A condition as a chain of tests; those with higher numbers come later.
struct TestChain {
  std::vector<ValueTest> tests;
  TestNumber first = kHolds;

  // The chain that decides like the code, if its tests are of this kind.
  static std::optional<TestChain> of(const std::int32_t* code);
  [[nodiscard]] bool holds(const Layout& layout, const std::uint64_t* words) const;
};

// Chains with the bits where the layout has the variables.
class BoundTests {
 public:
  // Adds a chain; its first test.
  TestNumber add(const TestChain& chain);
  // Looks up the fields of those that were added; after unbind(), of all.
  void bind(const Layout& layout);
  // To be called when the layout has changed.
  void unbind() { bound_.clear(); }
  [[nodiscard]] bool holds(TestNumber at, const std::uint64_t* words) const {
    while (at < kFails) {
      const Bound& test = bound_[at];
      const std::uint64_t value = (words[test.word] >> test.shift) & test.mask;
      at = value - test.low <= test.span ? test.if_inside : test.if_outside;
    }
    return at == kHolds;
  }

 private:
  // The packed value minus `low`, without a sign, is at most `span`.
  struct Bound {
    std::uint64_t mask;
    std::uint64_t low;
    std::uint64_t span;
    TestNumber if_inside;
    TestNumber if_outside;
    std::uint16_t word;
    std::uint8_t shift;
  };

 public:
  static constexpr std::size_t kBytes = sizeof(ValueTest) + sizeof(Bound);  // of a test

 private:
  static Bound bound(const ValueTest& test, const Layout& layout);

  std::vector<ValueTest> tests_;
  std::vector<Bound> bound_;
};

}  // namespace fairlead
