// How a configuration is packed into 64-bit words.
//
// A state is the number of its shape, the values of the shared variables and, for each slot of the shape,
// a local state. Every field has just as many bits as the values seen so far need; when a value does not
// fit, the layout grows and all states are packed again (Store::repack). Growing is rare: each field grows
// at most once per bit. A new shape takes the bits that others leave it, so that mostly nothing is packed again for it.
#pragma once

#include "program/network.hpp"

namespace fairlead {

class CheckpointReader;
class CheckpointWriter;

// Where a field lies. A field never crosses a word; width 0 means that only one value was ever seen.
struct Field {
  std::uint16_t word = 0;
  std::uint8_t shift = 0;
  std::uint8_t width = 0;

  [[nodiscard]] std::uint64_t mask() const { return (std::uint64_t{1} << width) - 1; }
  [[nodiscard]] std::uint64_t get(const std::uint64_t* words) const { return (words[word] >> shift) & mask(); }
  void set(std::uint64_t* words, std::uint64_t value) const {
    words[word] = (words[word] & ~(mask() << shift)) | (value << shift);
  }
};

// The values a variable has had: base .. base + 2^width - 1 can be packed.
struct ValueRange {
  std::int64_t base = 0;
  std::uint8_t width = 0;

  [[nodiscard]] bool contains(std::int64_t value) const {
    return value >= base && value - base < (std::int64_t{1} << width);
  }
  void include(std::int64_t value);
};

// The local states seen in the slots of one class (Shape::slot_class), numbered densely.
struct SlotDictionary {
  std::vector<LocalId> states;         // dense number -> local state
  std::vector<std::uint32_t> numbers;  // local state -> dense number + 1, 0 if not seen
  std::uint8_t width = 0;              // of the fields that hold them

  [[nodiscard]] std::uint32_t number(LocalId local) const { return local < numbers.size() ? numbers[local] : 0; }
  std::uint32_t add(LocalId local);
};

// Where the slots of a shape are, and which dictionaries they use.
struct ShapeLayout {
  std::vector<Field> slots;
  std::span<const std::uint32_t> classes;
};

class Layout {
 public:
  explicit Layout(const Network& network) : network_(&network), ranges_(network.variable_count()) {}

  [[nodiscard]] std::size_t words() const { return words_; }

  // Makes room for everything in a configuration; returns whether the layout has changed.
  bool admit(const Unpacked& state);
  bool admit_value(std::size_t variable, std::int32_t value);
  bool admit_local(ShapeId shape, std::size_t slot, LocalId local);
  bool admit_shape(ShapeId shape);
  // The same if no bits need to be assigned again for it; else false.
  bool admit_in_place(const Unpacked& state);
  // Whether one more local state in a slot needs no more bits.
  [[nodiscard]] bool has_room_for_local(ShapeId shape, std::size_t slot) const {
    const SlotDictionary& known = dictionary(shape, slot);
    return known.states.size() < (std::size_t{1} << known.width);
  }
  // Assigns bits again after something was admitted.
  void arrange();

  // Whether a configuration can be packed as the layout is.
  [[nodiscard]] bool fits(const Unpacked& state) const;
  void pack(const Unpacked& state, std::uint64_t* words) const;
  void unpack(const std::uint64_t* words, Unpacked& state) const;

  // Changes one field of a packed state; false if the layout has no room for it.
  bool set_value(std::uint64_t* words, std::size_t variable, std::int32_t value) const {
    const ValueRange& range = ranges_[variable];
    if (!range.contains(value)) return false;
    value_fields_[variable].set(words, static_cast<std::uint64_t>(value - range.base));
    return true;
  }
  bool set_local(std::uint64_t* words, ShapeId shape, std::size_t slot, LocalId local) const {
    const std::uint32_t number = dictionary(shape, slot).number(local);
    if (number == 0) return false;
    shapes_[shape].slots[slot].set(words, number - 1);
    return true;
  }
  // The same; a local state that is new in the slot is admitted if it needs no more bits.
  bool place_local(std::uint64_t* words, ShapeId shape, std::size_t slot, LocalId local) {
    if (set_local(words, shape, slot, local)) return true;
    if (!tables_may_grow() || !has_room_for_local(shape, slot)) return false;
    admit_local(shape, slot, local);
    return set_local(words, shape, slot, local);
  }
  [[nodiscard]] std::int32_t value(const std::uint64_t* words, std::size_t variable) const {
    return static_cast<std::int32_t>(ranges_[variable].base +
                                     static_cast<std::int64_t>(value_fields_[variable].get(words)));
  }
  // How values of a variable are packed: where, and what is taken off them.
  [[nodiscard]] std::int64_t value_base(std::size_t variable) const { return ranges_[variable].base; }
  [[nodiscard]] bool has_room_for_value(std::size_t variable, std::int32_t value) const {
    return ranges_[variable].contains(value);
  }
  void unpack_values(const std::uint64_t* words, std::vector<std::int32_t>& values) const {
    values.resize(ranges_.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(words, i);
  }
  // Of a packed state; and how slots of a shape are packed.
  [[nodiscard]] ShapeId shape_of(const std::uint64_t* words) const {
    return static_cast<ShapeId>(shape_field_.get(words));
  }
  [[nodiscard]] const Field& shape_field() const { return shape_field_; }
  [[nodiscard]] const Field& value_field(std::size_t variable) const { return value_fields_[variable]; }
  [[nodiscard]] const Field& slot_field(ShapeId shape, std::size_t slot) const { return shapes_[shape].slots[slot]; }
  [[nodiscard]] LocalId local(ShapeId shape, std::size_t slot, std::size_t number) const {
    return dictionary(shape, slot).states[number];
  }
  // The number of a local state in a slot, which never changes; kNone if it has none.
  [[nodiscard]] std::uint32_t local_number(ShapeId shape, std::size_t slot, LocalId local) const {
    return dictionary(shape, slot).number(local) - 1;
  }
  // Changes whenever bits are assigned again.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] bool knows_shape(ShapeId shape) const { return shape < shapes_.size(); }

  // --- checkpoints (checkpoint.cpp)
  void save(CheckpointWriter& out) const;
  // The network must have the same shapes and local states as when it was saved, or more.
  void load(CheckpointReader& in);
  // Unpacks words that may be anything; false if they are no packed configuration.
  [[nodiscard]] bool unpack_safely(const std::uint64_t* words, Unpacked& state) const;

 private:
  [[nodiscard]] const SlotDictionary& dictionary(ShapeId shape, std::size_t slot) const {
    return dictionaries_[shapes_[shape].classes[slot]];
  }
  // Assigns bits with the widths that dictionaries have, for a number of shapes.
  void arrange_with(std::uint8_t shape_bits, std::size_t shapes);
  // Assigns bits to the slots of a shape; returns how many words it takes.
  std::size_t arrange_slots(ShapeLayout& layout) const;

  const Network* network_;
  std::vector<ValueRange> ranges_;
  bool seen_first_ = false;
  std::vector<Field> value_fields_;  // the same in all shapes
  std::vector<ShapeLayout> shapes_;
  std::vector<SlotDictionary> dictionaries_;  // by class
  Field shape_field_;
  std::size_t words_ = 1;
  std::uint64_t version_ = 0;
};

}  // namespace fairlead
