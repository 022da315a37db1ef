#include "program/built_ins.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace fairlead {

namespace {

using Items = std::span<const std::int32_t>;
using Result = std::optional<std::int32_t>;

enum class Action : std::uint8_t {
  kNew,
  kGather,  // an array of the arguments
  kCount,
  kCountPairs,
  kIsEmpty,
  kContains,
  kClear,
  kToArray,
  kAt,
  kIndexOf,
  kFirst,
  kLast,
  kAppend,
  kPrepend,
  kDropFirst,
  kInsert,
  kReplace,
  kRemove,
  kRemoveAt,
  kConcat,
  kIsNew,  // of sets
  kInclude,
  kSubset,
  kKeepSubset,
  kDigits,
  kUnion,
  kIntersect,
  kSubtract,
  kOverlaps,
  kIsDisjoint,
  kHasKey,  // of hash tables
  kValueOf,
  kAddKey,
  kSetKey,
  kRemoveKey,
  kFitting,  // of arrays
  kAbs,      // of integers
  kMax,
  kMin,
  kPower,
  kRoot,
  kPeek,  // of channels
  kPeekArray,
};

constexpr std::uint32_t bit(ValueKind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr std::uint32_t kNobody = bit(ValueKind::kOpaque);
constexpr std::uint32_t kArrays = bit(ValueKind::kIntegers) | bit(ValueKind::kBooleans);
constexpr std::uint32_t kSets = bit(ValueKind::kSet);
constexpr std::uint32_t kLists = bit(ValueKind::kList);
constexpr std::uint32_t kQueues = bit(ValueKind::kQueue);
constexpr std::uint32_t kStacks = bit(ValueKind::kStack);
constexpr std::uint32_t kTables = bit(ValueKind::kHashTable);
constexpr std::uint32_t kRows = kSets | kLists | kQueues | kStacks;

// A function of some kinds: which part of what it gives, its name, and which arguments are containers.
struct Entry {
  std::string_view part;
  std::string_view name;
  std::uint32_t kinds;
  Action action;
  std::uint32_t containers;
};

constexpr Entry kEntries[] = {
    {"new", "", kRows, Action::kNew, 1},
    {"new", "", kTables, Action::kNew, 0},
    {"value", "Count", kRows, Action::kCount, 1},
    {"value", "Size", kRows, Action::kCount, 1},
    {"value", "Count", kTables, Action::kCountPairs, 1},
    {"value", "IsEmpty", kRows | kTables, Action::kIsEmpty, 1},
    {"value", "Contains", kRows, Action::kContains, 1},
    {"effect", "Clear", kRows | kTables, Action::kClear, 1},
    {"value", "ToArray", kRows, Action::kToArray, 1},
    {"value", "Get", kLists | kSets, Action::kAt, 1},
    {"value", "IndexOf", kLists, Action::kIndexOf, 1},
    {"effect", "Add", kLists, Action::kAppend, 1},
    {"effect", "Insert", kLists, Action::kInsert, 1},
    {"effect", "Set", kLists, Action::kReplace, 1},
    {"value", "Remove", kLists | kSets, Action::kContains, 1},
    {"effect", "Remove", kLists | kSets, Action::kRemove, 1},
    {"effect", "RemoveAt", kLists, Action::kRemoveAt, 1},
    {"value", "Concat", kLists | kQueues, Action::kConcat, 7},
    {"effect", "Enqueue", kQueues, Action::kAppend, 1},
    {"value", "Dequeue", kQueues, Action::kFirst, 1},
    {"effect", "Dequeue", kQueues, Action::kDropFirst, 1},
    {"value", "First", kQueues, Action::kFirst, 1},
    {"value", "Peek", kQueues | kStacks, Action::kFirst, 1},
    {"value", "Last", kQueues, Action::kLast, 1},
    {"effect", "Push", kStacks, Action::kPrepend, 1},
    {"value", "Pop", kStacks, Action::kFirst, 1},
    {"effect", "Pop", kStacks, Action::kDropFirst, 1},
    {"value", "Top", kStacks, Action::kFirst, 1},
    {"value", "Add", kSets, Action::kIsNew, 1},
    {"effect", "Add", kSets, Action::kInclude, 1},
    {"value", "GetSubsetByIndex", kSets, Action::kSubset, 1},
    {"effect", "GetSubsetByIndex", kSets, Action::kKeepSubset, 1},
    {"value", "GetData", kSets, Action::kDigits, 1},
    {"value", "Union", kSets, Action::kUnion, 7},
    {"value", "Intersect", kSets, Action::kIntersect, 7},
    {"value", "Substract", kSets, Action::kSubtract, 7},
    {"value", "Subtract", kSets, Action::kSubtract, 7},
    {"value", "IsOverlapping", kSets, Action::kOverlaps, 3},
    {"value", "IsDisjoint", kSets, Action::kIsDisjoint, 3},
    {"value", "ContainsKey", kTables, Action::kHasKey, 1},
    {"value", "GetValue", kTables, Action::kValueOf, 1},
    {"effect", "Add", kTables, Action::kAddKey, 1},
    {"effect", "SetValue", kTables, Action::kSetKey, 1},
    {"value", "Remove", kTables, Action::kHasKey, 1},
    {"effect", "Remove", kTables, Action::kRemoveKey, 1},
    {"gather", "", kArrays, Action::kGather, 0},
    {"element", "", kArrays, Action::kAt, 1},
    {"replacing", "", kArrays, Action::kReplace, 1},
    {"fitting", "", kArrays, Action::kFitting, 1},
    {"peek", "", kArrays, Action::kPeekArray, 0},
    {"peek", "", kNobody, Action::kPeek, 0},
    {"Abs", "", kNobody, Action::kAbs, 0},
    {"Max", "", kNobody, Action::kMax, 0},
    {"Min", "", kNobody, Action::kMin, 0},
    {"Pow", "", kNobody, Action::kPower, 0},
    {"Sqrt", "", kNobody, Action::kRoot, 0},
};

constexpr std::string_view kKindNames[] = {"", "int[]", "bool[]", "Set", "List", "Queue", "Stack", "HashTable"};
constexpr std::int32_t kKinds = std::size(kKindNames);

const Entry& entry_of(BuiltIn function) { return kEntries[static_cast<std::size_t>(function / kKinds)]; }
ValueKind kind_of(BuiltIn function) { return static_cast<ValueKind>(function % kKinds); }

// ---------------------------------------------------------------- integers

Result fitting(std::int64_t value) {
  if (value < INT32_MIN || value > INT32_MAX) return std::nullopt;
  return static_cast<std::int32_t>(value);
}

Result power(std::int64_t base, std::int32_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : static_cast<std::int32_t>(base);
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::int64_t value = 1;
  for (; exponent > 0; --exponent) {
    value *= base;
    if (!fitting(value)) return std::nullopt;
  }
  return fitting(value);
}

Result root(std::int32_t number) {
  if (number < 0) return std::nullopt;
  auto value = static_cast<std::int64_t>(std::sqrt(static_cast<double>(number)));
  while (value * value > number) --value;
  while ((value + 1) * (value + 1) <= number) ++value;
  return static_cast<std::int32_t>(value);
}

// ---------------------------------------------------------------- containers

bool contains(Items items, std::int32_t item) { return std::ranges::find(items, item) != items.end(); }

// The elements from 0 to 3 of a set as two bits each, read as decimal digits.
Result digits(Items items) {
  std::int64_t packed = 0;
  for (const std::int32_t item : items) {
    packed = packed * 4 | item;
    if (packed < 0 || packed > INT32_MAX) return std::nullopt;  // and so it stays
  }
  std::int64_t value = 0;
  for (std::int64_t place = 1; packed != 0; packed >>= 2, place *= 10) value += (packed & 3) * place;
  return fitting(value);
}

// One call: opens its arguments as they are needed, and makes the result.
class Call {
 public:
  Call(BuiltIn function, Items arguments, const Values& values, Scratch& scratch)
      : kind_(kind_of(function)), arguments_(arguments), values_(values), scratch_(scratch) {}

  Result apply(Action action);

 private:
  [[nodiscard]] std::int32_t argument(std::size_t number) const { return arguments_[number]; }
  // How many items an argument has.
  [[nodiscard]] std::size_t size(std::size_t number) const {
    const std::int32_t word = argument(number);
    return Scratch::has(word) ? scratch_.items(word).size() : values_.size(word);
  }
  // The items of an argument; they stay where they are until the result is made.
  Items open(std::size_t number) { return scratch_.open(argument(number), number, values_); }
  // The two operands of what takes one container and its own, or two others.
  std::pair<Items, Items> pair() {
    const std::size_t second = arguments_.size() - 1;
    return {open(second - 1), open(second)};
  }

  // Makes the result, piece by piece.
  std::vector<std::int32_t>& made() {
    scratch_.result.clear();
    return scratch_.result;
  }
  void put(Items items) { scratch_.result.insert(scratch_.result.end(), items.begin(), items.end()); }
  std::int32_t finish(ValueKind kind) { return scratch_.add(kind, scratch_.result); }
  std::int32_t finish() { return finish(kind_); }
  // An index of items, for one that may be out of bounds.
  [[nodiscard]] static bool is_index(Items items, std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < items.size();
  }
  Result with(Items before, std::initializer_list<std::int32_t> items, Items after) {
    made();
    put(before);
    put({items.begin(), items.size()});
    put(after);
    return finish();
  }

  Result look(Action action);
  Result change(Action action);
  Result of_array(Action action);
  Result of_sets(Action action);
  Result of_table(Action action);
  Result of_integers(Action action);
  Result create();
  Result subset(ValueKind kind);

  ValueKind kind_;
  Items arguments_;
  const Values& values_;
  Scratch& scratch_;
};

Result Call::apply(Action action) {
  if (action <= Action::kGather) return create();
  if (action <= Action::kLast) return look(action);
  if (action <= Action::kConcat) return change(action);
  if (action <= Action::kIsDisjoint) return of_sets(action);
  if (action <= Action::kRemoveKey) return of_table(action);
  if (action == Action::kFitting) return of_array(action);
  return of_integers(action);
}

Result Call::create() {
  made();
  if (kind_ == ValueKind::kIntegers || kind_ == ValueKind::kBooleans) {
    put(arguments_);
  } else if (kind_ != ValueKind::kHashTable && !arguments_.empty()) {
    put(open(0));
    if (kind_ == ValueKind::kSet) {
      std::ranges::sort(scratch_.result);
      const auto rest = std::ranges::unique(scratch_.result);
      scratch_.result.erase(rest.begin(), rest.end());
    }
  }
  return finish();
}

Result Call::look(Action action) {
  switch (action) {
    case Action::kCount:
      return static_cast<std::int32_t>(size(0));
    case Action::kCountPairs:
      return static_cast<std::int32_t>(size(0) / 2);
    case Action::kIsEmpty:
      return size(0) == 0;
    case Action::kClear:
      made();
      return finish();
    default:
      break;
  }
  const Items items = open(0);
  switch (action) {
    case Action::kContains:
      return contains(items, argument(1));
    case Action::kToArray:
      made();
      put(items);
      return finish(ValueKind::kIntegers);
    case Action::kAt:
      if (!is_index(items, argument(1))) return std::nullopt;
      return items[static_cast<std::size_t>(argument(1))];
    case Action::kFirst:
      if (items.empty()) return std::nullopt;
      return items.front();
    case Action::kIndexOf: {
      const auto found = std::ranges::find(items, argument(1));
      return found == items.end() ? -1 : static_cast<std::int32_t>(found - items.begin());
    }
    default:  // kLast
      if (items.empty()) return std::nullopt;
      return items.back();
  }
}

Result Call::change(Action action) {
  if (action == Action::kConcat) {
    const auto [left, right] = pair();
    return with(left, {}, right);
  }
  const Items items = open(0);
  const auto index = [&] { return static_cast<std::size_t>(argument(1)); };
  switch (action) {
    case Action::kAppend:
      return with(items, {argument(1)}, {});
    case Action::kPrepend:
      return with({}, {argument(1)}, items);
    case Action::kDropFirst:
      if (items.empty()) return std::nullopt;
      return with({}, {}, items.subspan(1));
    case Action::kInsert:
      if (argument(1) < 0 || index() > items.size()) return std::nullopt;
      return with(items.first(index()), {argument(2)}, items.subspan(index()));
    case Action::kReplace:
      if (!is_index(items, argument(1))) return std::nullopt;
      return with(items.first(index()), {argument(2)}, items.subspan(index() + 1));
    case Action::kRemoveAt:
      if (!is_index(items, argument(1))) return std::nullopt;
      return with(items.first(index()), {}, items.subspan(index() + 1));
    default: {  // kRemove
      const auto place = static_cast<std::size_t>(std::ranges::find(items, argument(1)) - items.begin());
      if (place == items.size()) return argument(0);
      return with(items.first(place), {}, items.subspan(place + 1));
    }
  }
}

Result Call::of_array(Action) {
  if (size(0) != static_cast<std::size_t>(argument(1))) return std::nullopt;
  return argument(0);
}

Result Call::subset(ValueKind kind) {
  const Items items = open(0);
  const std::int32_t index = argument(1);
  made();
  for (std::size_t place = 0; place < std::min<std::size_t>(items.size(), 31); ++place) {
    if (index > 0 && (index >> place & 1) != 0) scratch_.result.push_back(items[place]);
  }
  return finish(kind);
}

Result Call::of_sets(Action action) {
  switch (action) {
    case Action::kSubset:
      return subset(ValueKind::kIntegers);
    case Action::kKeepSubset:
      return subset(kind_);
    case Action::kDigits:
      return digits(open(0));
    case Action::kIsNew:
      return !contains(open(0), argument(1));
    case Action::kInclude: {
      const Items items = open(0);
      const auto place = static_cast<std::size_t>(std::ranges::lower_bound(items, argument(1)) - items.begin());
      if (place < items.size() && items[place] == argument(1)) return argument(0);
      return with(items.first(place), {argument(1)}, items.subspan(place));
    }
    default:
      break;
  }
  const auto [left, right] = pair();
  const auto out = std::back_inserter(made());
  switch (action) {
    case Action::kUnion:
      std::ranges::set_union(left, right, out);
      break;
    case Action::kSubtract:
      std::ranges::set_difference(left, right, out);
      break;
    default:
      std::ranges::set_intersection(left, right, out);
      break;
  }
  if (action == Action::kOverlaps) return !scratch_.result.empty();
  if (action == Action::kIsDisjoint) return scratch_.result.empty();
  return finish();
}

Result Call::of_table(Action action) {
  const Items items = open(0);
  const std::int32_t key = argument(1);
  std::size_t place = 0;
  while (place < items.size() && items[place] < key) place += 2;
  const bool is_there = place < items.size() && items[place] == key;
  const Items after = items.subspan(is_there ? place + 2 : place);
  switch (action) {
    case Action::kHasKey:
      return is_there;
    case Action::kValueOf:
      if (!is_there) return std::nullopt;
      return items[place + 1];
    case Action::kAddKey:
      if (is_there) return argument(0);
      [[fallthrough]];
    case Action::kSetKey:
      return with(items.first(place), {key, argument(2)}, after);
    default:  // kRemoveKey
      if (!is_there) return argument(0);
      return with(items.first(place), {}, after);
  }
}

Result Call::of_integers(Action action) {
  switch (action) {
    case Action::kAbs:
      return fitting(std::abs(std::int64_t{argument(0)}));
    case Action::kMax:
      return std::max(argument(0), argument(1));
    case Action::kMin:
      return std::min(argument(0), argument(1));
    case Action::kPower:
      return power(argument(0), argument(1));
    case Action::kRoot:
      return root(argument(0));
    default:  // the first message of a channel, after the number of messages
      if (argument(0) == 0) return std::nullopt;
      if (action == Action::kPeek) return argument(1);
      return scratch_.add(kind_, arguments_.subspan(1));
  }
}

}  // namespace

BuiltIn find_built_in(std::string_view name) {
  const std::size_t space = std::min(name.find(' '), name.size());
  const std::string_view part = name.substr(0, space);
  std::string_view kind = name.substr(std::min(space + 1, name.size()));
  std::string_view method;
  if (const std::size_t dot = kind.find('.'); dot != std::string_view::npos) {
    method = kind.substr(dot + 1);
    kind = kind.substr(0, dot);
  }
  for (std::int32_t number = 0; number < kKinds; ++number) {
    if (kKindNames[number] != kind) continue;
    for (const Entry& entry : kEntries) {
      if (entry.part != part || entry.name != method || (entry.kinds >> number & 1) == 0) continue;
      return static_cast<BuiltIn>(&entry - kEntries) * kKinds + number;
    }
  }
  return kNoBuiltIn;
}

ValueKind gathered_kind(BuiltIn function) {
  const bool gathers = function != kNoBuiltIn && entry_of(function).action == Action::kGather;
  return gathers ? kind_of(function) : ValueKind::kOpaque;
}

bool gives_container(BuiltIn function) {
  const Entry& entry = entry_of(function);
  switch (entry.action) {
    case Action::kNew:
    case Action::kGather:
    case Action::kToArray:
    case Action::kConcat:
    case Action::kReplace:
    case Action::kSubset:
    case Action::kUnion:
    case Action::kIntersect:
    case Action::kSubtract:
    case Action::kFitting:
    case Action::kPeekArray:
      return true;
    default:
      return entry.part == "effect";
  }
}

std::uint32_t container_arguments(BuiltIn function) { return entry_of(function).containers; }

std::optional<std::int32_t> apply(BuiltIn function, std::span<const std::int32_t> arguments, const Values& values,
                                  Scratch& scratch) {
  return Call(function, arguments, values, scratch).apply(entry_of(function).action);
}

}  // namespace fairlead
