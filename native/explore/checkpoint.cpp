#include "explore/checkpoint.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "explore/graph.hpp"

namespace fairlead {

namespace {

// Of one piece of up to kBuffer bytes, after those before.
std::uint64_t checksum_of(std::uint64_t before, const char* data, std::size_t count) {
  std::uint64_t sum = mix(before ^ count, 0x9e3779b97f4a7c15ull);
  for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + i, std::min(sizeof(word), count - i));
    sum = mix(sum ^ word, 0xd6e8feb86659fd93ull) + word;
  }
  return sum;
}

}  // namespace

// ---------------------------------------------------------------- files

void CheckpointWriter::bytes(const void* data, std::size_t count) {
  const auto* at = static_cast<const char*>(data);
  while (count != 0) {
    const std::size_t piece = std::min(count, kBuffer - buffer_.size());
    buffer_.insert(buffer_.end(), at, at + piece);
    at += piece;
    count -= piece;
    if (buffer_.size() == kBuffer) flush();
  }
}

void CheckpointWriter::flush() {
  checksum_ = checksum_of(checksum_, buffer_.data(), buffer_.size());
  write_out(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void CheckpointWriter::finish() {
  flush();
  write_out(&checksum_, sizeof(checksum_));
}

void CheckpointWriter::write_out(const void* data, std::size_t count) const {
  const auto* at = static_cast<const char*>(data);
  while (count != 0) {
    const ssize_t written = write(file_, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileTrouble{errno};
    at += written;
    count -= static_cast<std::size_t>(written);
  }
}

CheckpointReader::CheckpointReader(int file) : file_(file), buffer_(CheckpointWriter::kBuffer) {
  struct stat found{};
  const off_t start = lseek(file, 0, SEEK_CUR);
  if (start < 0 || fstat(file, &found) != 0) throw FileTrouble{errno};
  if (found.st_size < start + static_cast<off_t>(sizeof(std::uint64_t))) throw BadCheckpoint{};
  next_ = static_cast<std::uint64_t>(start);
  end_ = static_cast<std::uint64_t>(found.st_size) - sizeof(std::uint64_t);
  verify();
  used_ = buffer_.size();
}

void CheckpointReader::verify() {
  std::uint64_t sum = 0;
  std::uint64_t at = next_;
  for (;;) {  // the last piece, which may be empty, is not a full one
    const std::size_t piece = std::min<std::uint64_t>(buffer_.size(), end_ - at);
    read_at(at, buffer_.data(), piece);
    sum = checksum_of(sum, buffer_.data(), piece);
    at += piece;
    if (piece < buffer_.size()) break;
  }
  std::uint64_t expected = 0;
  read_at(end_, reinterpret_cast<char*>(&expected), sizeof(expected));
  if (sum != expected) throw BadCheckpoint{};
}

void CheckpointReader::read_at(std::uint64_t offset, char* data, std::size_t count) const {
  while (count != 0) {
    const ssize_t found = pread(file_, data, count, static_cast<off_t>(offset));
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) throw FileTrouble{errno};
    if (found == 0) throw BadCheckpoint{};
    data += found;
    offset += static_cast<std::uint64_t>(found);
    count -= static_cast<std::size_t>(found);
  }
}

void CheckpointReader::bytes(void* data, std::size_t count) {
  auto* at = static_cast<char*>(data);
  while (count != 0) {
    if (used_ == buffer_.size()) {
      buffer_.resize(std::min<std::uint64_t>(CheckpointWriter::kBuffer, end_ - next_));
      if (buffer_.empty()) throw BadCheckpoint{};
      read_at(next_, buffer_.data(), buffer_.size());
      next_ += buffer_.size();
      used_ = 0;
    }
    const std::size_t piece = std::min(count, buffer_.size() - used_);
    std::memcpy(at, buffer_.data() + used_, piece);
    used_ += piece;
    at += piece;
    count -= piece;
  }
}

void CheckpointReader::finish() const {
  if (next_ != end_ || used_ != buffer_.size()) throw BadCheckpoint{};
}

// ---------------------------------------------------------------- the parts of a graph

void Layout::save(CheckpointWriter& out) const {
  out.value(std::uint64_t{ranges_.size()});
  for (const ValueRange& range : ranges_) {
    out.value(range.base);
    out.value(range.width);
  }
  // a new shape or local state may have been given room since bits were assigned last: which bits these are follows from
  // how many there were then
  out.value(std::uint64_t{shapes_.size()});
  out.value(shape_field_.width);
  out.value(std::uint64_t{dictionaries_.size()});
  for (const SlotDictionary& dictionary : dictionaries_) {
    out.value(dictionary.width);
    out.value(std::uint64_t{dictionary.states.size()});
    out.array(dictionary.states.data(), dictionary.states.size());
  }
  out.value(std::uint64_t{words_});
}

// Which bits a field has follows from the values seen.
void Layout::load(CheckpointReader& in) {
  std::uint64_t count = 0;
  in.value(count);
  if (count != ranges_.size()) throw BadCheckpoint{};
  for (ValueRange& range : ranges_) {
    in.value(range.base);
    in.value(range.width);
    // a range that has grown downwards may reach beyond the words, by at most one bit
    constexpr std::int64_t kFar = std::int64_t{1} << 33;
    if (range.width > 33 || range.base < -kFar || range.base > INT32_MAX) throw BadCheckpoint{};
  }
  seen_first_ = true;
  in.value(count);
  if (count == 0 || count > network_->shapes.size()) throw BadCheckpoint{};
  const std::uint64_t shapes = count;
  std::uint8_t shape_bits = 0;
  in.value(shape_bits);
  in.value(count);
  if (shape_bits >= 32 || shapes > std::uint64_t{1} << shape_bits) throw BadCheckpoint{};
  if (count > network_->shapes.class_count()) throw BadCheckpoint{};
  for (std::uint64_t shape = 0; shape < shapes; ++shape) {
    for (const std::uint32_t number : network_->shape(static_cast<ShapeId>(shape)).slot_class) {
      if (number >= count) throw BadCheckpoint{};
    }
  }
  dictionaries_.assign(count, {});
  std::vector<LocalId> states;
  for (SlotDictionary& dictionary : dictionaries_) {
    in.value(dictionary.width);
    in.value(count);
    if (count > network_->local_count() || dictionary.width > 32) throw BadCheckpoint{};
    if (count > std::uint64_t{1} << dictionary.width) throw BadCheckpoint{};
    in.expect(count, sizeof(LocalId));
    states.resize(count);
    in.array(states.data(), count);
    for (const LocalId local : states) {
      if (local >= network_->local_count() || dictionary.number(local) != 0) throw BadCheckpoint{};
      dictionary.add(local);
    }
  }
  shapes_.clear();
  arrange_with(shape_bits, static_cast<ShapeId>(shapes));
  in.value(count);
  if (count != words_ || words_ > std::size_t{UINT16_MAX} + 1) throw BadCheckpoint{};
}

bool Layout::unpack_safely(const std::uint64_t* words, Unpacked& state) const {
  state.shape = shape_of(words);
  if (!knows_shape(state.shape)) return false;
  const ShapeLayout& layout = shapes_[state.shape];
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const std::int64_t found = ranges_[i].base + static_cast<std::int64_t>(value_fields_[i].get(words));
    if (found < INT32_MIN || found > INT32_MAX) return false;
  }
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    if (layout.slots[i].get(words) >= dictionary(state.shape, i).states.size()) return false;
  }
  unpack(words, state);
  // bits that no field has are 0: states are compared by their words
  thread_local std::vector<std::uint64_t> packed;
  packed.resize(words_);
  pack(state, packed.data());
  return std::equal(packed.begin(), packed.end(), words);
}

void DeclinedShapes::save(CheckpointWriter& out, std::size_t count) const { out.array(in_order_.data(), count); }

void DeclinedShapes::load(CheckpointReader& in, std::size_t count, std::size_t shapes) {
  if (count > shapes) throw BadCheckpoint{};
  in.expect(count, sizeof(ShapeId));
  std::vector<ShapeId> found(count);
  in.array(found.data(), count);
  for (const ShapeId shape : found) {
    if (shape >= shapes) throw BadCheckpoint{};
    decline(shape);
  }
}

void Store::save(CheckpointWriter& out, std::size_t count) const {
  for (std::size_t first = 0; first < count; first += kChunkStates) {
    out.array(chunks_[first >> kChunkBits], std::min(kChunkStates, count - first) * stride_);
  }
}

void Store::load(CheckpointReader& in, std::size_t count) {
  chunks_.clear();
  blocks_.clear();
  size_ = 0;
  stride_ = layout_->words();
  in.expect(count, stride_ * sizeof(std::uint64_t));
  reserve_records(count);
  for (std::size_t first = 0; first < count; first += kChunkStates) {
    in.array(chunks_[first >> kChunkBits], std::min(kChunkStates, count - first) * stride_);
    ticker_->tick_slowly();
  }
  size_ = count;
  rebuild_parts();
}

void EdgeList::save(CheckpointWriter& out, std::size_t count) {
  targets_.for_each_piece(count, [&](StateId* first, std::size_t n) { out.array(first, n); });
  actions_.for_each_piece(count, [&](ActionId* first, std::size_t n) { out.array(first, n); });
}

void EdgeList::load(CheckpointReader& in, std::size_t count) {
  in.expect(count, sizeof(StateId) + sizeof(ActionId));
  is_growing_ = true;
  targets_.resize_uninitialised(count);
  targets_.for_each_piece(count, [&](StateId* first, std::size_t n) { in.array(first, n); });
  actions_.resize_uninitialised(count);
  actions_.for_each_piece(count, [&](ActionId* first, std::size_t n) { in.array(first, n); });
  is_growing_ = false;
}

void Graph::save_edges(CheckpointWriter& out, const Boundary& boundary) {
  // a state that was expanded later has its transitions, if any, beyond the boundary
  for (std::size_t state = 0; state < boundary.states; ++state) {
    std::uint64_t run = state < runs_.size() ? runs_[state] : kNotExpanded;
    if (state >= boundary.next && place_of(run) >= boundary.edges) run = kNotExpanded;
    out.value(run);
  }
  const std::size_t kept = std::min<std::size_t>(boundary.edges, list_.size());  // some may have been given up since
  out.value(std::uint64_t{kept});
  list_.save(out, kept);
}

void Graph::load_edges(CheckpointReader& in, const Boundary& boundary) {
  in.expect(boundary.states, sizeof(std::uint64_t));
  runs_.resize_uninitialised(boundary.states);
  runs_.for_each_piece(boundary.states, [&](std::uint64_t* first, std::size_t count) { in.array(first, count); });
  std::uint64_t kept = 0;
  in.value(kept);
  list_.load(in, kept);
  check_edges(boundary);
}

// The transitions of a state lie together, and lead to states that there are.
void Graph::check_edges(const Boundary& boundary) {
  const std::size_t actions = labels().action_count();
  for (std::size_t state = 0; state < boundary.states; ++state) {
    if ((state & 0xffff) == 0) ticker_.tick_slowly();
    const std::uint64_t run = runs_[state];
    if (run == kNotExpanded) {
      if (state < boundary.next) throw BadCheckpoint{};
      continue;
    }
    const std::size_t place = place_of(run);
    const std::size_t count = count_of(run);
    if (count == 0 || !list_.has(place)) continue;  // if they are not kept, they are found again and compared
    if (!list_.has_run(place, count)) throw BadCheckpoint{};
    const EdgeSpan edges = list_.get(place, static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      if (edges.targets[i] >= boundary.states || edges.actions[i] >= actions) throw BadCheckpoint{};
    }
  }
}

// ---------------------------------------------------------------- the graph

void NetworkGraph::note_boundary() {
  const auto id_or_none = [](const std::optional<StateId>& id) { return id ? std::uint64_t{*id} : Boundary::kNoState; };
  boundary_ = {store_.size(),
               next_,
               transitions_,
               expanded_,
               list().size(),
               id_or_none(first_stop_),
               id_or_none(first_deadlock_),
               id_or_none(first_error_),
               error_count_,
               declined_.count(),
               levels_,
               level_end_};
}

void NetworkGraph::save(int file) {
  CheckpointWriter out(file);
  out.value(boundary_);
  out.value(std::uint64_t{keep_edges_});
  out.value(std::uint64_t{initial_.size()});
  out.array(initial_.data(), initial_.size());
  layout_.save(out);
  declined_.save(out, boundary_.declined);
  store_.save(out, boundary_.states);
  if (keep_edges_) {
    save_edges(out, boundary_);
  } else {
    parents_.for_each_piece(boundary_.states, [&](StateId* first, std::size_t count) { out.array(first, count); });
  }
  out.finish();
}

void NetworkGraph::check_boundary() const {
  const auto is_state = [&](std::uint64_t id) { return id == Boundary::kNoState || id < boundary_.states; };
  const Boundary& found = boundary_;
  if (found.states >= kNone || found.next > found.states || found.expanded > found.states ||
      found.errors > found.states || found.levels > found.states + 1 || found.level_end > found.states ||
      !is_state(found.first_stop) || !is_state(found.first_deadlock) || !is_state(found.first_error)) {
    throw BadCheckpoint{};
  }
  for (const StateId state : initial_) {
    if (state >= found.states) throw BadCheckpoint{};
  }
}

// What the records say must be configurations of the network, and the initial ones those that the graph has had.
void NetworkGraph::check_states(const StateRules& rules, std::span<const Unpacked> initial) {
  if (rules.locals.size() != network_.local_count()) throw BadCheckpoint{};
  Unpacked state;
  for (std::size_t id = 0; id < boundary_.states; ++id) {
    if ((id & 0xffff) == 0) ticker_.tick_slowly();
    if (!layout_.unpack_safely(store_.record(static_cast<StateId>(id)), state)) throw BadCheckpoint{};
    if (!rules.allow(state, network_)) throw BadCheckpoint{};
  }
  for (std::size_t i = 0; i < initial.size(); ++i) {
    layout_.unpack(store_.record(initial_[i]), state);
    const Unpacked& expected = initial[i];
    if (state.shape != expected.shape || state.values != expected.values || state.locals != expected.locals) {
      throw BadCheckpoint{};
    }
  }
}

// States are found from states with lower numbers, so that ways back along parents end.
void NetworkGraph::check_parents() const {
  for (std::size_t state = 0; state < boundary_.states; ++state) {
    if (parents_[state] == kNone ? std::ranges::find(initial_, state) == initial_.end() : parents_[state] >= state) {
      throw BadCheckpoint{};
    }
  }
}

void NetworkGraph::load(int file, const StateRules& rules) {
  std::vector<Unpacked> first;
  for (const StateId state : initial_) first.push_back(unpack(state));
  CheckpointReader in(file);
  in.value(boundary_);
  check_boundary();
  std::uint64_t count = 0;
  in.value(count);
  if (count != std::uint64_t{keep_edges_}) throw BadCheckpoint{};
  in.value(count);
  std::vector<StateId> initial(initial_.size());
  if (count != initial.size()) throw BadCheckpoint{};
  in.array(initial.data(), count);
  if (initial != initial_) throw BadCheckpoint{};
  layout_.load(in);
  declined_.load(in, boundary_.declined, network_.shapes.size());
  store_.load(in, boundary_.states);
  if (keep_edges_) {
    load_edges(in, boundary_);
  } else {
    in.expect(boundary_.states, sizeof(StateId));
    parents_.resize_uninitialised(boundary_.states);
    parents_.for_each_piece(boundary_.states, [&](StateId* at, std::size_t n) { in.array(at, n); });
    check_parents();
  }
  in.finish();
  check_states(rules, first);
  const auto state = [](std::uint64_t id) {
    return id == Boundary::kNoState ? std::nullopt : std::optional(static_cast<StateId>(id));
  };
  next_ = boundary_.next;
  transitions_ = boundary_.transitions;
  expanded_ = boundary_.expanded;
  first_stop_ = state(boundary_.first_stop);
  first_deadlock_ = state(boundary_.first_deadlock);
  first_error_ = state(boundary_.first_error);
  error_count_ = boundary_.errors;
  levels_ = boundary_.levels;
  level_end_ = boundary_.level_end;
}

}  // namespace fairlead
