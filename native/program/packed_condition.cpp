#include "program/packed_condition.hpp"

#include <limits>
#include <map>

#include "program/specialise.hpp"

namespace fairlead {

namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostTests = 256;

// Follows code through all ways it can go. As soon as a value is pushed, the ways for true and for false part, so that the
// stack never holds more than one value, and that is known.
class ChainBuilder {
 public:
  explicit ChainBuilder(const std::int32_t* code) : code_(code) {}

  std::optional<TestChain> build() {
    const TestNumber first = follow(0, Top::kEmpty);
    if (failed_) return std::nullopt;
    // tests were numbered from the last one to the first
    const auto count = static_cast<TestNumber>(tests_.size());
    const auto turned = [&](TestNumber number) { return number < kFails ? count - 1 - number : number; };
    TestChain chain;
    for (auto test = tests_.rbegin(); test != tests_.rend(); ++test) {
      chain.tests.push_back(*test);
      chain.tests.back().if_inside = turned(test->if_inside);
      chain.tests.back().if_outside = turned(test->if_outside);
    }
    chain.first = turned(first);
    return chain;
  }

 private:
  enum class Top : std::uint8_t { kEmpty, kFalse, kTrue };

  TestNumber fail() {
    failed_ = true;
    return kFails;
  }

  // What is decided by the code from a place on. Code only jumps forward, and its length is limited by kMostTests.
  TestNumber follow(std::size_t at, Top top) {
    if (failed_) return kFails;
    const std::pair key{at, top};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const TestNumber number = top == Top::kEmpty ? push(at) : take(at, top == Top::kTrue);
    known_.emplace(key, number);
    return number;
  }
  TestNumber go_on(std::size_t at, bool value) { return follow(at, value ? Top::kTrue : Top::kFalse); }
  [[nodiscard]] std::size_t jump(std::size_t at) const {
    return static_cast<std::size_t>(static_cast<std::int64_t>(at) + 2 + code_[at + 1]);
  }

  // The stack is empty.
  TestNumber push(std::size_t at) {
    const std::int32_t* operands = code_ + at + 1;
    switch (static_cast<Op>(code_[at])) {
      case Op::kConst:
        return go_on(at + 2, operands[0] != 0);
      case Op::kShared:  // a boolean, if it is taken for one
        return test(at + 2, operands[0], 0, 0, false);
      case Op::kSharedEqualConst:
        return test(at + 3, operands[0], operands[1], operands[1], true);
      case Op::kSharedUnequalConst:
        return test(at + 3, operands[0], operands[1], operands[1], false);
      case Op::kSharedLessConst:
        return test(at + 3, operands[0], operands[1], kHighest, false);
      case Op::kSharedGreaterConst:
        return test(at + 3, operands[0], kLowest, operands[1], false);
      case Op::kSharedLessEqualConst:
        return test(at + 3, operands[0], kLowest, operands[1], true);
      case Op::kSharedGreaterEqualConst:
        return test(at + 3, operands[0], operands[1], kHighest, true);
      case Op::kJump:
        return follow(jump(at), Top::kEmpty);
      default:
        return fail();
    }
  }

  // The stack holds a truth value.
  TestNumber take(std::size_t at, bool top) {
    switch (static_cast<Op>(code_[at])) {
      case Op::kEnd:
        return top ? kHolds : kFails;
      case Op::kNot:
        return go_on(at + 1, !top);
      case Op::kAndThen:
        return top ? follow(at + 2, Top::kEmpty) : go_on(jump(at), false);
      case Op::kOrElse:
        return top ? go_on(jump(at), true) : follow(at + 2, Top::kEmpty);
      case Op::kJumpIfFalse:
        return follow(top ? at + 2 : jump(at), Top::kEmpty);
      case Op::kJump:
        return go_on(jump(at), top);
      default:
        return fail();
    }
  }

  TestNumber test(std::size_t next, std::int32_t variable, std::int64_t low, std::int64_t high, bool if_inside) {
    const TestNumber inside = go_on(next, if_inside);
    const TestNumber outside = go_on(next, !if_inside);
    if (failed_ || inside == outside) return inside;
    if (tests_.size() >= kMostTests) return fail();
    tests_.push_back({static_cast<std::size_t>(variable), low, high, inside, outside});
    return static_cast<TestNumber>(tests_.size() - 1);
  }

  const std::int32_t* code_;
  bool failed_ = false;
  std::map<std::pair<std::size_t, Top>, TestNumber> known_;
  std::vector<ValueTest> tests_;
};

// Longer code would be followed too deep.
bool is_short(const std::int32_t* code) {
  std::size_t at = 0;
  while (at < 8 * kMostTests && static_cast<Op>(code[at]) != Op::kEnd) {
    at += 1 + static_cast<std::size_t>(operand_count(static_cast<Op>(code[at])));
  }
  return at < 8 * kMostTests;
}

}  // namespace

std::optional<TestChain> TestChain::of(const std::int32_t* code) {
  if (!is_short(code)) return std::nullopt;
  return ChainBuilder(code).build();
}

bool TestChain::holds(const Layout& layout, const std::uint64_t* words) const {
  TestNumber at = first;
  while (at < kFails) {
    const ValueTest& test = tests[at];
    const std::int32_t value = layout.value(words, test.variable);
    at = value >= test.low && value <= test.high ? test.if_inside : test.if_outside;
  }
  return at == kHolds;
}

TestNumber BoundTests::add(const TestChain& chain) {
  const auto first = static_cast<TestNumber>(tests_.size());
  const auto moved = [&](TestNumber number) { return number < kFails ? first + number : number; };
  for (const ValueTest& test : chain.tests) {
    tests_.push_back(test);
    tests_.back().if_inside = moved(test.if_inside);
    tests_.back().if_outside = moved(test.if_outside);
  }
  return moved(chain.first);
}

void BoundTests::bind(const Layout& layout) {
  while (bound_.size() < tests_.size()) bound_.push_back(bound(tests_[bound_.size()], layout));
}

BoundTests::Bound BoundTests::bound(const ValueTest& test, const Layout& layout) {
  const Field& field = layout.value_field(test.variable);
  const std::int64_t base = layout.value_base(test.variable);
  Bound found{field.mask(), 0, 0, test.if_inside, test.if_outside, field.word, field.shift};
  const std::int64_t low = std::max<std::int64_t>(test.low - base, 0);
  const std::int64_t high = std::min<std::int64_t>(test.high - base, static_cast<std::int64_t>(field.mask()));
  if (low > high) {
    found.if_inside = test.if_outside;  // no value that can be packed lies between the bounds
  } else {
    found.low = static_cast<std::uint64_t>(low);
    found.span = static_cast<std::uint64_t>(high - low);
  }
  return found;
}

}  // namespace fairlead
