#include "steps/edge_summary.hpp"

#include <algorithm>

#include "program/specialise.hpp"

namespace fairlead {

namespace {

std::size_t length(const std::int32_t* code, std::size_t at) {
  return 1 + static_cast<std::size_t>(operand_count(static_cast<Op>(code[at])));
}

std::size_t jump_target(const std::int32_t* code, std::size_t at) {
  return static_cast<std::size_t>(static_cast<std::int64_t>(at) + 2 + code[at + 1]);
}

// Whether false on the stack at this place is the value of the whole code.
bool decides_all(const std::int32_t* code, std::size_t at) {
  while (static_cast<Op>(code[at]) == Op::kAndThen) at = jump_target(code, at);
  return static_cast<Op>(code[at]) == Op::kEnd;
}

using Words = std::vector<std::int32_t>;

// The conjuncts of a condition. Code parts at a kAndThen that false leaves for the end, unless something jumps across.
std::vector<Words> conjuncts(const std::int32_t* code) {
  std::vector<Words> found;
  std::size_t begin = 0;
  std::size_t farthest = 0;  // that any jump leads to which is not between conjuncts
  std::size_t at = 0;
  const auto finish = [&] {
    found.emplace_back(code + begin, code + at);
    found.back().push_back(static_cast<std::int32_t>(Op::kEnd));
  };
  for (; static_cast<Op>(code[at]) != Op::kEnd; at += length(code, at)) {
    const auto op = static_cast<Op>(code[at]);
    if (!is_jump(op)) continue;
    if (op == Op::kAndThen && farthest <= at && decides_all(code, jump_target(code, at))) {
      finish();
      begin = at + 2;
    } else {
      farthest = std::max(farthest, jump_target(code, at));
    }
  }
  finish();
  return found;
}

Test bounded(std::int32_t variable, std::int64_t low, std::int64_t high, bool inside) {
  Test test{static_cast<std::uint32_t>(variable), low, high, inside};
  if (!inside && low <= Test::kLowest) test = {test.variable, high + 1, Test::kHighest, true};
  if (!inside && high >= Test::kHighest) test = {test.variable, Test::kLowest, low - 1, true};
  return test;
}

// The test that an expression is, if it is one.
std::optional<Test> test_of(const Words& code) {
  const std::size_t first = length(code.data(), 0);
  const bool negated = static_cast<Op>(code[first]) == Op::kNot;
  if (static_cast<Op>(code[first + (negated ? 1 : 0)]) != Op::kEnd) return std::nullopt;
  const std::int32_t variable = code[1];
  const auto bound = [&] { return std::int64_t{code[2]}; };
  switch (static_cast<Op>(code[0])) {
    case Op::kShared:
      return bounded(variable, 0, 0, negated);
    case Op::kSharedEqualConst:
      return bounded(variable, bound(), bound(), !negated);
    case Op::kSharedUnequalConst:
      return bounded(variable, bound(), bound(), negated);
    case Op::kSharedLessConst:
      return bounded(variable, Test::kLowest, bound() - 1, !negated);
    case Op::kSharedGreaterConst:
      return bounded(variable, bound() + 1, Test::kHighest, !negated);
    case Op::kSharedLessEqualConst:
      return bounded(variable, Test::kLowest, bound(), !negated);
    case Op::kSharedGreaterEqualConst:
      return bounded(variable, bound(), Test::kHighest, !negated);
    default:
      return std::nullopt;
  }
}

// Whether an edge finds a message in the buffer whose length a variable is.
bool needs_message(const EdgeSummary& edge, std::int64_t buffer) {
  return std::any_of(edge.tests.begin(), edge.tests.end(),
                     [&](const Test& test) { return test.variable == buffer && test.inside && test.low >= 1; });
}

bool keeps(const Change& change, const Test& test) {
  switch (change.kind) {
    case ChangeKind::kStore:
      return test.holds(change.value);
    case ChangeKind::kAdd:
      return test.inside && (change.value > 0 ? test.high >= Test::kHighest : test.low <= Test::kLowest);
    default:
      return false;
  }
}

// Whether what one edge changes leaves another as it is, if both are enabled: its guard true, its effect the same.
bool leaves_alone(const EdgeSummary& one, const EdgeSummary& other) {
  for (const Change& change : one.changes) {
    const std::uint32_t variable = change.variable;
    // behind the last message there is never the first, which the other one looks at
    const bool is_behind = change.kind == ChangeKind::kEnqueue && variable <= change.value + change.width &&
                           needs_message(other, change.value);
    if (is_behind) continue;
    if (other.rest.has(variable) || other.reads.has(variable)) return false;
    for (const Test& test : other.tests) {
      if (test.variable == variable && !keeps(change, test)) return false;
    }
  }
  return true;
}

bool commute(const Change& one, const Change& other) {
  if (one.kind != other.kind) {
    const bool are_ends = (one.kind == ChangeKind::kEnqueue && other.kind == ChangeKind::kDequeue) ||
                          (one.kind == ChangeKind::kDequeue && other.kind == ChangeKind::kEnqueue);
    return are_ends && one.value == other.value;
  }
  return one.kind == ChangeKind::kAdd || (one.kind == ChangeKind::kStore && one.value == other.value);
}

}  // namespace

bool Test::excludes(const Test& other) const {
  if (inside && other.inside) return high < other.low || other.high < low;
  if (inside) return low >= other.low && high <= other.high;
  if (other.inside) return other.low >= low && other.high <= high;
  return false;
}

void EdgeSummary::add_guard(const std::int32_t* code, std::size_t variables) {
  for (const Words& conjunct : conjuncts(code)) {
    if (static_cast<Op>(conjunct[0]) == Op::kConst && static_cast<Op>(conjunct[2]) == Op::kEnd) {
      never_enabled = never_enabled || conjunct[1] == 0;
    } else if (const std::optional<Test> test = test_of(conjunct)) {
      tests.push_back(*test);
    } else {
      Footprint looked_at;
      if (looked_at.add_code(conjunct.data(), variables) && !guard_can_fail) {
        guard_can_fail = true;
        tests_before_failure = tests.size();
      }
      rest.unite(looked_at.reads);
      has_rest = true;
    }
  }
}

NumberSet EdgeSummary::guard_reads() const {
  NumberSet found = rest;
  for (const Test& test : tests) found.add(test.variable);
  return found;
}

void EdgeSummary::add_expression(const std::int32_t* code, std::size_t variables) {
  Footprint looked_at;
  if (looked_at.add_code(code, variables)) fails_by_reads = true;
  reads.unite(looked_at.reads);
}

void EdgeSummary::add_update(const std::int32_t* code, std::size_t variables) {
  std::size_t end = 0;
  bool jumps = false;
  for (; static_cast<Op>(code[end]) != Op::kEnd; end += length(code, end)) {
    jumps = jumps || is_jump(static_cast<Op>(code[end]));
  }
  if (jumps) {
    add_statement({code, end}, variables);
    return;
  }
  std::size_t begin = 0;
  for (std::size_t at = 0; at < end; at += length(code, at)) {
    switch (static_cast<Op>(code[at])) {
      case Op::kStoreShared:
      case Op::kStoreSharedAt:
      case Op::kStoreLocal:
      case Op::kStoreLocalAt:
      case Op::kEnqueue:
      case Op::kDequeue:
      case Op::kPop: {
        const std::size_t next = at + length(code, at);
        add_statement({code + begin, next - begin}, variables);
        begin = next;
        break;
      }
      default:
        break;
    }
  }
}

void EdgeSummary::add_statement(std::span<const std::int32_t> statement, std::size_t variables) {
  const auto op = [&](std::size_t at) { return static_cast<Op>(statement[at]); };
  if (statement.size() == 4 && op(0) == Op::kConst && op(2) == Op::kStoreShared) {
    add_change({static_cast<std::uint32_t>(statement[3]), ChangeKind::kStore, statement[1]});
    return;
  }
  if (add_increment(statement) || add_queue_operation(statement, variables)) return;
  Words words(statement.begin(), statement.end());
  words.push_back(static_cast<std::int32_t>(Op::kEnd));
  Footprint footprint;
  if (footprint.add_code(words.data(), variables)) fails_by_reads = true;
  reads.unite(footprint.reads);
  footprint.writes.for_each([&](std::size_t variable) { add_change({static_cast<std::uint32_t>(variable)}); });
}

// x = x + constant, perhaps with bounds: kShared x, kConst, kAdd, kCheckRange, kStoreShared x.
bool EdgeSummary::add_increment(std::span<const std::int32_t> statement) {
  const auto op = [&](std::size_t at) { return static_cast<Op>(statement[at]); };
  if (statement.size() < 8 || op(0) != Op::kShared || op(2) != Op::kConst) return false;
  if (op(4) != Op::kAdd && op(4) != Op::kSubtract) return false;
  const std::int64_t amount = op(4) == Op::kAdd ? std::int64_t{statement[3]} : -std::int64_t{statement[3]};
  std::int64_t low = Test::kLowest;
  std::int64_t high = Test::kHighest;
  std::size_t at = 6;
  if (op(at) == Op::kCheckRange) {
    low = statement[at + 1];
    high = statement[at + 2];
    at += 4;
  }
  if (statement.size() != at + 2 || op(at) != Op::kStoreShared || statement[at + 1] != statement[1] || amount == 0) {
    return false;
  }
  const auto variable = static_cast<std::uint32_t>(statement[1]);
  failures.push_back({variable, high - amount + 1, Test::kHighest, true});
  failures.push_back({variable, Test::kLowest, low - amount - 1, true});
  add_change({variable, ChangeKind::kAdd, amount});
  return true;
}

// Values, a constant index, then kEnqueue or kDequeue.
bool EdgeSummary::add_queue_operation(std::span<const std::int32_t> statement, std::size_t variables) {
  if (statement.size() < 6) return false;
  const std::span<const std::int32_t> last = statement.last(6);
  const auto op = static_cast<Op>(last[2]);
  if (static_cast<Op>(last[0]) != Op::kConst || last[1] < 0) return false;
  if (op != Op::kEnqueue && op != Op::kDequeue) return false;
  // the values must not end in the middle of what looks like a constant
  std::size_t at = 0;
  while (at < statement.size() - 6) at += length(statement.data(), at);
  if (at != statement.size() - 6) return false;
  Words values(statement.begin(), statement.end() - 6);
  values.push_back(static_cast<std::int32_t>(Op::kEnd));
  add_expression(values.data(), variables);
  const auto first = static_cast<std::uint32_t>(last[3] + last[1] * last[4]);
  const auto stride = static_cast<std::uint32_t>(last[4]);
  const bool fills = op == Op::kEnqueue;
  add_change({first, ChangeKind::kAdd, fills ? 1 : -1});
  for (std::uint32_t i = 1; i < stride; ++i) {
    add_change(
        {first + i, fills ? ChangeKind::kEnqueue : ChangeKind::kDequeue, first, static_cast<std::uint32_t>(last[5])});
  }
  return true;
}

void EdgeSummary::add_change(const Change& change) {
  for (Change& known : changes) {
    if (known.variable != change.variable) continue;
    const bool are_stores = known.kind == ChangeKind::kStore && change.kind == ChangeKind::kStore;
    known = are_stores ? change : Change{change.variable};
    // whether adding to it fails depends on what was done to it before
    fails_by_reads = fails_by_reads || !failures.empty();
    if (!are_stores) reads.add(change.variable);
    return;
  }
  changes.push_back(change);
}

bool accord(const EdgeSummary& one, const EdgeSummary& other) {
  for (const Test& test : one.tests) {
    for (const Test& against : other.tests) {
      if (test.variable == against.variable && test.excludes(against)) return true;
    }
  }
  // NOLINTNEXTLINE(readability-suspicious-call-argument): both ways round
  if (!leaves_alone(one, other) || !leaves_alone(other, one)) return false;
  for (const Change& change : one.changes) {
    for (const Change& against : other.changes) {
      if (change.variable == against.variable && !commute(change, against)) return false;
    }
  }
  return true;
}

bool may_enable(const Change& change, const Test& test, bool too_low, bool adds) {
  switch (change.kind) {
    case ChangeKind::kStore:
      if (!test.inside || !adds) return test.holds(change.value);
      return too_low ? change.value >= test.low : change.value <= test.high;
    case ChangeKind::kAdd:
      return !test.inside || (change.value > 0) == too_low;
    default:
      return true;
  }
}

}  // namespace fairlead
