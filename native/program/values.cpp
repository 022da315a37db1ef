#include "program/values.hpp"

#include <bit>
#include <stdexcept>

namespace fairlead {

namespace {

constexpr unsigned kKindBits = 3;
// A place in a chunk has so many bits, above it is the chunk, and above that what a slot has of the hash. (A value that needs
// more room than this has a chunk for itself.)
constexpr unsigned kPlaceBits = 18;
constexpr unsigned kTagShift = 48;
constexpr std::size_t kLargestChunk = std::size_t{1} << kPlaceBits;
constexpr std::uint64_t kTagMask = ~std::uint64_t{0} << kTagShift;
// The number in front of a run.
constexpr std::size_t kNumberBytes = sizeof(std::int32_t);

// How many bytes a header and each item take at most.
constexpr std::size_t kHeaderBytes = 10;
constexpr std::size_t kItemBytes = 5;

void put(std::uint8_t*& at, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) *at++ = static_cast<std::uint8_t>(number | 0x80);
  *at++ = static_cast<std::uint8_t>(number);
}

std::uint64_t take(const std::uint8_t*& at) {
  std::uint64_t number = *at & 0x7fu;
  for (unsigned shift = 7; (*at++ & 0x80u) != 0; shift += 7) number |= (*at & std::uint64_t{0x7f}) << shift;
  return number;
}

// Small numbers are short, negative ones too.
std::uint64_t folded(std::int32_t item) {
  return (static_cast<std::uint32_t>(item) << 1) ^ static_cast<std::uint32_t>(item >> 31);
}
std::int32_t unfolded(std::uint64_t number) {
  const auto half = static_cast<std::uint32_t>(number >> 1);
  return static_cast<std::int32_t>((number & 1) != 0 ? ~half : half);
}

std::span<const std::uint8_t> encode(ValueKind kind, std::span<const std::int32_t> items, std::uint8_t* run) {
  std::uint8_t* at = run;
  put(at, items.size() << kKindBits | static_cast<std::uint64_t>(kind));
  for (const std::int32_t item : items) put(at, folded(item));
  return {run, at};
}

// Whether items are as those of a kind are: see ValueKind.
bool has_form(ValueKind kind, std::span<const std::int32_t> items) {
  const auto keys_ascend = [&](std::size_t step) {
    for (std::size_t i = step; i < items.size(); i += step) {
      if (items[i - step] >= items[i]) return false;
    }
    return true;
  };
  switch (kind) {
    case ValueKind::kBooleans:
      return std::ranges::all_of(items, [](std::int32_t item) { return item == 0 || item == 1; });
    case ValueKind::kSet:
      return keys_ascend(1);
    case ValueKind::kHashTable:
      return items.size() % 2 == 0 && keys_ascend(2);
    default:
      return true;
  }
}

std::uint64_t hash_of(std::span<const std::uint8_t> run) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ run.size();
  for (std::size_t at = 0; at < run.size(); at += 8) {
    std::uint64_t piece = 0;
    std::memcpy(&piece, run.data() + at, std::min<std::size_t>(8, run.size() - at));
    hash = mix(hash ^ piece, 0xd6e8feb86659fd93ull);
  }
  return mix(hash, 0xa0761d6478bd642full);
}

std::span<const std::uint8_t> run_at(const std::uint8_t* begin) {
  const std::uint8_t* at = begin;
  for (std::uint64_t left = take(at) >> kKindBits; left > 0; --left) take(at);
  return {begin, at};
}

// The lowest bits of a hash are those of the shard, the uppermost ones are in the slot.
std::size_t first_slot(std::uint64_t hash) { return hash >> 8; }

// Never looks behind the run at `place`: see Values.
bool is_run(const std::uint8_t* place, std::span<const std::uint8_t> run) {
  for (const std::uint8_t byte : run) {
    if (*place++ != byte) return false;
  }
  return true;
}

}  // namespace

// ---------------------------------------------------------------- adding

std::int32_t Values::intern(ValueKind kind, std::span<const std::int32_t> items, Budget* budget) {
  constexpr std::size_t kFew = 50;
  if (items.size() <= kFew) {
    std::uint8_t run[kHeaderBytes + kFew * kItemBytes];
    return intern_run(encode(kind, items, run), budget);
  }
  std::vector<std::uint8_t> run(kHeaderBytes + items.size() * kItemBytes);
  return intern_run(encode(kind, items, run.data()), budget);
}

std::int32_t Values::restore(std::span<const std::uint8_t> run) {
  const auto none = [] { return std::invalid_argument("no value"); };
  // each number ends with a byte below 128, so there are as many of these as numbers
  std::size_t ends = 0;
  std::size_t bytes = 0;  // of this number
  for (const std::uint8_t byte : run) {
    if (++bytes > (ends == 0 ? kHeaderBytes - 1 : kItemBytes)) throw none();
    if (byte >= 0x80) continue;
    ++ends;
    bytes = 0;
  }
  if (ends == 0 || bytes != 0) throw none();
  const std::uint8_t* at = run.data();
  const std::uint64_t header = take(at);
  const auto kind = static_cast<ValueKind>(header & ((1u << kKindBits) - 1));
  if (kind == ValueKind::kOpaque || header >> kKindBits != ends - 1) throw none();
  std::vector<std::int32_t> items(ends - 1);
  for (std::int32_t& item : items) item = unfolded(take(at));
  // only what is written as it would be written here is the number of one value
  std::vector<std::uint8_t> written(kHeaderBytes + items.size() * kItemBytes);
  if (!has_form(kind, items) || !std::ranges::equal(encode(kind, items, written.data()), run)) throw none();
  return intern_run(run, nullptr);
}

std::int32_t Values::intern_run(std::span<const std::uint8_t> run, Budget* budget) {
  const std::uint64_t hash = hash_of(run);
  Shard& shard = shards_[hash & (shards_.size() - 1)];
  const std::uint64_t tag = hash & kTagMask;
  const std::scoped_lock lock(shard.lock);
  if ((shard.used + 1) * 4 > shard.slots.size() * 3) grow_slots(shard, budget);
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t at = first_slot(hash) & mask;
  for (; shard.slots[at] != 0; at = (at + 1) & mask) {
    if ((shard.slots[at] & kTagMask) != tag) continue;
    const std::uint8_t* const known = shard.at(shard.slots[at]);
    if (!is_run(known + kNumberBytes, run)) continue;
    std::int32_t number = 0;
    std::memcpy(&number, known, kNumberBytes);
    return number;
  }
  const std::uint64_t where = copy(shard, run, budget);
  std::uint8_t* const added = shard.at(where);
  const std::int32_t number = add_number(added + kNumberBytes, budget);
  std::memcpy(added, &number, kNumberBytes);
  shard.slots[at] = tag | where;
  ++shard.used;
  return number;
}

std::uint8_t* Values::Shard::at(std::uint64_t slot) const {
  const std::uint64_t where = slot & ~kTagMask;
  return chunks[(where >> kPlaceBits) - 1].get() + (where & (kLargestChunk - 1));
}

void Values::grow_slots(Shard& shard, Budget* budget) {
  const std::size_t size = shard.slots.empty() ? 16 : 2 * shard.slots.size();
  charge((size - shard.slots.size()) * sizeof(std::uint64_t), budget);
  std::vector<std::uint64_t> grown(size, 0);
  for (const std::uint64_t slot : shard.slots) {
    if (slot == 0) continue;
    std::size_t at = first_slot(hash_of(run_at(shard.at(slot) + kNumberBytes))) & (size - 1);
    while (grown[at] != 0) at = (at + 1) & (size - 1);
    grown[at] = slot;
  }
  shard.slots = std::move(grown);
}

std::uint64_t Values::copy(Shard& shard, std::span<const std::uint8_t> run, Budget* budget) {
  const std::size_t bytes = kNumberBytes + run.size();
  if (bytes > shard.left) {
    const std::size_t size = std::max(bytes, shard.next_chunk);
    charge(size, budget);
    shard.chunks.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(size));
    shard.next = 0;
    shard.left = size;
    shard.next_chunk = std::min(2 * shard.next_chunk, kLargestChunk);
  }
  const std::uint64_t where = std::uint64_t{shard.chunks.size()} << kPlaceBits | shard.next;
  std::ranges::copy(run, shard.at(where) + kNumberBytes);
  shard.next += bytes;
  shard.left -= bytes;
  return where;
}

std::int32_t Values::add_opaque() { return add_number(nullptr, nullptr); }

std::int32_t Values::add_number(Place place, Budget* budget) {
  const std::scoped_lock lock(growing_);
  const std::uint32_t number = next_.load();
  if (number >= INT32_MAX) throw LimitReached{Limit::kMemory};
  const std::uint32_t shifted = number + (1u << kFirstLevelBits);
  const auto level = static_cast<std::size_t>(std::bit_width(shifted)) - 1 - kFirstLevelBits;
  const std::size_t size = std::size_t{1} << (level + kFirstLevelBits);
  if (levels_[level].load() == nullptr) {
    charge(size * sizeof(Place), budget);
    owned_[level] = std::make_unique<Place[]>(size);
    levels_[level].store(owned_[level].get());
  }
  levels_[level].load()[shifted - size] = place;
  next_.store(number + 1);
  return static_cast<std::int32_t>(number);
}

// A thread that is not alone must not make room for what it needs: another one does that when it is.
void Values::charge(std::uint64_t bytes, Budget* budget) {
  if (budget == nullptr) {
    not_charged_ += bytes;
  } else if (tables_may_grow()) {
    budget->charge(bytes);
  } else if (!budget->try_charge(bytes)) {
    throw TablesFrozen{};
  }
  bytes_ += bytes;
}

void Values::set_budget(Budget& budget) {
  if (charged_to_ == &budget) return;
  budget.charge(bytes_.load());
  charged_to_ = &budget;
  not_charged_ = 0;
}

void Values::settle(Budget& budget) { budget.charge(std::exchange(not_charged_, 0)); }

// ---------------------------------------------------------------- reading

Values::Place Values::place(std::int32_t number) const {
  const std::uint32_t shifted = static_cast<std::uint32_t>(number) + (1u << kFirstLevelBits);
  const auto level = static_cast<std::size_t>(std::bit_width(shifted)) - 1 - kFirstLevelBits;
  return levels_[level].load(std::memory_order_acquire)[shifted - (std::size_t{1} << (level + kFirstLevelBits))];
}

ValueKind Values::kind(std::int32_t number) const {
  const std::uint8_t* const at = place(number);
  return at == nullptr ? ValueKind::kOpaque : static_cast<ValueKind>(*at & ((1u << kKindBits) - 1));
}

std::size_t Values::size(std::int32_t number) const {
  const std::uint8_t* at = place(number);
  return at == nullptr ? 0 : take(at) >> kKindBits;
}

void Values::read(std::int32_t number, std::vector<std::int32_t>& items) const {
  items.clear();
  const std::uint8_t* at = place(number);
  if (at == nullptr) return;
  items.resize(take(at) >> kKindBits);
  for (std::int32_t& item : items) item = unfolded(take(at));
}

std::span<const std::uint8_t> Values::encoded(std::int32_t number) const {
  const std::uint8_t* const begin = place(number);
  if (begin == nullptr) return {};
  return run_at(begin);
}

std::string Values::text(std::int32_t number) const {
  std::vector<std::int32_t> items;
  read(number, items);
  const ValueKind own = kind(number);
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_value_of_key = own == ValueKind::kHashTable && i % 2 == 1;
    if (i > 0) text += is_value_of_key ? "=" : ", ";
    text += own != ValueKind::kBooleans ? std::to_string(items[i]) : items[i] != 0 ? "true" : "false";
  }
  return text + "]";
}

}  // namespace fairlead
