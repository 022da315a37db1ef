// The canonical encoding of configurations: bytes that depend on the model alone, not on the order in which things were
// discovered, nor on how states are packed. docs/reference/canonical-encoding.md describes them;
// src/fairlead/model/canonical is the same, written to be read.
#pragma once

#include <string>

#include "program/network.hpp"

namespace fairlead {

// What only Python knows: what things are called whose numbers say when they were discovered.
class CanonicalNames {
 public:
  // The identity of a position, with its length in front, and which of its parameters are numbers of values.
  struct PositionName {
    std::string identity;
    std::vector<std::uint8_t> by_number;
  };

  virtual ~CanonicalNames() = default;
  virtual PositionName position(std::uint32_t number) = 0;
  // An operator, without the number of its parts.
  virtual std::string op(OperatorId number) = 0;
  // What a value holds that the engine does not keep.
  virtual std::string value(std::int32_t number) = 0;
};

// Buffers in which messages may have numbers of values: by the form of a message, which of its fields are such.
struct CanonicalBuffers {
  std::uint32_t base = 0;
  std::uint32_t count = 0;
  std::uint32_t stride = 0;
  std::uint32_t width = 0;
  std::vector<std::vector<std::uint8_t>> forms;
};

// Which words of the shared variables are numbers of values.
struct CanonicalSlots {
  std::vector<std::uint8_t> by_number;
  std::vector<CanonicalBuffers> buffers;
};

inline void put_unsigned(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>((number & 0x7f) | 0x80));
  out.push_back(static_cast<char>(number));
}
inline void put_signed(std::string& out, std::int64_t number) {
  const auto shifted = static_cast<std::uint64_t>(number) << 1;
  put_unsigned(out, number >= 0 ? shifted : ~shifted);
}

// Encodes the states of one network. What it has made of shapes and local states is kept: an encoding is put together from
// that, and from the values of the variables. For one thread at a time.
class CanonicalEncoder {
 public:
  CanonicalEncoder(Network& network, Budget& budget, CanonicalSlots slots, std::unique_ptr<CanonicalNames> names)
      : network_(network), budget_(budget), slots_(std::move(slots)), names_(std::move(names)), locals_(budget) {}

  // Appends the encoding of a state.
  void encode(const Unpacked& state, std::string& out);
  // The hash of the encoding, which need not be put together for that.
  [[nodiscard]] std::uint64_t hash(const Unpacked& state);

 private:
  struct Frame {
    std::string bytes;
    std::uint64_t hash = 0;
    std::vector<std::uint32_t> slots;  // in the order of the components
  };
  // A component, as bytes in a block; none yet if it has no bytes.
  struct Component {
    const char* bytes;
    std::uint32_t size;
    std::uint32_t form_size;
    std::uint64_t hash;
  };

  const Frame& frame(ShapeId shape);
  void add_node(const Shape& shape, std::uint32_t number, Frame& frame);
  const Component& component(LocalId local, ProcessId owner);
  void put_values(const std::vector<std::int32_t>& values, std::string& out);
  void put_value(bool by_number, std::int32_t word, std::string& out);
  // A local state: the identity of its position, and the values of its parameters.
  void put_local(LocalId local, std::string& form, std::string& values);
  void put_tree(TreeId tree, std::string& form, std::string& values);
  void put_counted(LocalId counted, ProcessId owner, std::string& form, std::string& values);
  const std::string& op(OperatorId number);
  const CanonicalNames::PositionName& position(std::uint32_t number);
  const char* kept(std::string_view bytes);

  Network& network_;
  Budget& budget_;
  CanonicalSlots slots_;
  std::unique_ptr<CanonicalNames> names_;
  std::vector<std::unique_ptr<Frame>> frames_;  // by shape
  ChunkedVector<Component> locals_;  // by local state
  std::vector<std::string> operators_;  // empty if not known
  std::vector<CanonicalNames::PositionName> positions_;
  std::vector<Block> blocks_;  // the bytes of components
  std::size_t used_ = 0;  // of the last block
  std::vector<std::uint8_t> flags_;
  std::vector<std::int32_t> items_;
  std::string scratch_;
};

}  // namespace fairlead
