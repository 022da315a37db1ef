#include "program/layout.hpp"

#include <bit>

namespace fairlead {

namespace {

std::uint8_t bits_for(std::uint64_t count) {  // to distinguish `count` things
  return count <= 1 ? 0 : static_cast<std::uint8_t>(std::bit_width(count - 1));
}

// Hands out bits, word by word; a field that does not fit into the rest of a word starts a new one.
class BitAllocator {
 public:
  Field take(std::uint8_t width) {
    if (used_ + width > 64) {
      ++word_;
      used_ = 0;
    }
    const Field field{static_cast<std::uint16_t>(word_), static_cast<std::uint8_t>(used_ & 63), width};
    used_ += width;
    return field;
  }
  [[nodiscard]] std::size_t words() const { return word_ + 1; }

 private:
  std::size_t word_ = 0;
  unsigned used_ = 0;
};

}  // namespace

void ValueRange::include(std::int64_t value) {
  const std::int64_t last = base + (std::int64_t{1} << width) - 1;
  if (value < base) {
    // the new bits all go downwards, so that a variable that keeps falling does not repack at each step
    width = bits_for(static_cast<std::uint64_t>(last - value) + 1);
    base = last - (std::int64_t{1} << width) + 1;
  } else if (value > last) {
    width = bits_for(static_cast<std::uint64_t>(value - base) + 1);
  }
}

std::uint32_t SlotDictionary::add(LocalId local) {
  if (local >= numbers.size()) numbers.resize(local + 1, 0);
  states.push_back(local);
  numbers[local] = static_cast<std::uint32_t>(states.size());
  return numbers[local];
}

bool Layout::admit_value(std::size_t variable, std::int32_t value) {
  if (ranges_[variable].contains(value)) return false;
  ranges_[variable].include(value);
  return true;
}

bool Layout::admit_shape(ShapeId shape) {
  if (knows_shape(shape)) return false;
  dictionaries_.resize(network_->shapes.class_count());
  bool changed = std::size_t{shape} >> shape_field_.width != 0;
  while (shapes_.size() <= shape) {
    ShapeLayout& layout = shapes_.emplace_back();
    layout.classes = network_->shape(static_cast<ShapeId>(shapes_.size() - 1)).slot_class;
    changed = arrange_slots(layout) > words_ || changed;
  }
  return changed;
}

bool Layout::admit_local(ShapeId shape, std::size_t slot, LocalId local) {
  SlotDictionary& known = dictionaries_[shapes_[shape].classes[slot]];
  if (known.number(local) != 0) return false;
  return bits_for(known.add(local)) > known.width;
}

bool Layout::admit(const Unpacked& state) {
  bool changed = admit_shape(state.shape);
  if (!seen_first_) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) ranges_[i].base = state.values[i];
    seen_first_ = true;
    changed = true;
  }
  for (std::size_t i = 0; i < state.values.size(); ++i) changed |= admit_value(i, state.values[i]);
  for (std::size_t i = 0; i < state.locals.size(); ++i) changed |= admit_local(state.shape, i, state.locals[i]);
  return changed;
}

// What was admitted before something did not fit stays so: it does no harm.
bool Layout::admit_in_place(const Unpacked& state) {
  for (std::size_t i = 0; i < state.values.size(); ++i) {
    if (!ranges_[i].contains(state.values[i])) return false;
  }
  if (!knows_shape(state.shape)) {
    const std::size_t known = shapes_.size();
    if (admit_shape(state.shape)) {
      shapes_.resize(known);
      return false;
    }
  }
  for (std::size_t i = 0; i < state.locals.size(); ++i) {
    if (dictionary(state.shape, i).number(state.locals[i]) != 0) continue;
    if (!has_room_for_local(state.shape, i)) return false;
    admit_local(state.shape, i, state.locals[i]);
  }
  return true;
}

void Layout::arrange() {
  for (SlotDictionary& known : dictionaries_) known.width = bits_for(known.states.size());
  arrange_with(bits_for(shapes_.size()), shapes_.size());
}

void Layout::arrange_with(std::uint8_t shape_bits, std::size_t shapes) {
  ++version_;
  BitAllocator bits;
  shape_field_ = bits.take(shape_bits);
  value_fields_.resize(ranges_.size());
  for (std::size_t i = 0; i < ranges_.size(); ++i) value_fields_[i] = bits.take(ranges_[i].width);
  words_ = bits.words();
  shapes_.resize(shapes);
  for (std::size_t id = 0; id < shapes; ++id) {
    shapes_[id].classes = network_->shape(static_cast<ShapeId>(id)).slot_class;
    words_ = std::max(words_, arrange_slots(shapes_[id]));
  }
}

std::size_t Layout::arrange_slots(ShapeLayout& layout) const {
  BitAllocator bits;
  bits.take(shape_field_.width);
  for (const Field& field : value_fields_) bits.take(field.width);
  layout.slots.clear();
  for (const std::uint32_t number : layout.classes) layout.slots.push_back(bits.take(dictionaries_[number].width));
  return bits.words();
}

bool Layout::fits(const Unpacked& state) const {
  if (!knows_shape(state.shape)) return false;
  for (std::size_t i = 0; i < state.values.size(); ++i) {
    if (!ranges_[i].contains(state.values[i])) return false;
  }
  for (std::size_t i = 0; i < state.locals.size(); ++i) {
    if (dictionary(state.shape, i).number(state.locals[i]) == 0) return false;
  }
  return true;
}

void Layout::pack(const Unpacked& state, std::uint64_t* words) const {
  std::fill(words, words + words_, 0);
  const ShapeLayout& layout = shapes_[state.shape];
  shape_field_.set(words, state.shape);
  for (std::size_t i = 0; i < value_fields_.size(); ++i) {
    value_fields_[i].set(words, static_cast<std::uint64_t>(state.values[i] - ranges_[i].base));
  }
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    layout.slots[i].set(words, dictionary(state.shape, i).number(state.locals[i]) - 1);
  }
}

void Layout::unpack(const std::uint64_t* words, Unpacked& state) const {
  state.shape = static_cast<ShapeId>(shape_field_.get(words));
  const ShapeLayout& layout = shapes_[state.shape];
  unpack_values(words, state.values);
  state.locals.resize(layout.slots.size());
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    state.locals[i] = dictionary(state.shape, i).states[layout.slots[i].get(words)];
  }
}

}  // namespace fairlead
