#include "program/canonical.hpp"

#include <algorithm>
#include <tuple>

namespace fairlead {

namespace {

// How an operator of counted processes, and a component, begins (model/canonical/operators.py, encoding.py).
constexpr char kHole = 0;
constexpr char kCounted = 13;
constexpr char kOfOwner = 0;
constexpr char kTree = 1;
// Components are kept in blocks of this size.
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

std::uint64_t fragment_hash(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3ull;
  return hash;
}

void put_text(std::string& out, std::string_view text) {
  put_unsigned(out, text.size());
  out += text;
}

[[nodiscard]] bool says_count(NodeKind kind) {
  return kind == NodeKind::kParallel || kind == NodeKind::kChoice || kind == NodeKind::kExternal;
}

}  // namespace

void CanonicalEncoder::encode(const Unpacked& state, std::string& out) {
  const Frame& frame = this->frame(state.shape);
  out += frame.bytes;
  put_values(state.values, out);
  const Shape& shape = network_.shape(state.shape);
  for (const std::uint32_t slot : frame.slots) {
    const Component& part = component(state.locals[slot], shape.slot_process[slot]);
    out.append(part.bytes, part.size);
  }
}

std::uint64_t CanonicalEncoder::hash(const Unpacked& state) {
  constexpr std::uint64_t kFactor = 0xd6e8feb86659fd93ull;
  const Frame& frame = this->frame(state.shape);
  std::uint64_t hash = mix(0x9e3779b97f4a7c15ull ^ frame.hash, kFactor);
  scratch_.clear();
  put_values(state.values, scratch_);
  hash = mix(hash ^ fragment_hash(scratch_), kFactor);
  const Shape& shape = network_.shape(state.shape);
  for (const std::uint32_t slot : frame.slots) {
    hash = mix(hash ^ component(state.locals[slot], shape.slot_process[slot]).hash, kFactor);
  }
  return mix(hash, 0xa0761d6478bd642full);
}

// ---------------------------------------------------------------- frames

const CanonicalEncoder::Frame& CanonicalEncoder::frame(ShapeId shape) {
  if (frames_.size() <= shape) frames_.resize(shape + std::size_t{1});
  if (frames_[shape] == nullptr) {
    auto made = std::make_unique<Frame>();
    add_node(network_.shape(shape), 0, *made);
    made->hash = fragment_hash(made->bytes);
    budget_.charge(sizeof(Frame) + made->bytes.capacity() + made->slots.capacity() * sizeof(std::uint32_t));
    frames_[shape] = std::move(made);
  }
  return *frames_[shape];
}

void CanonicalEncoder::add_node(const Shape& shape, std::uint32_t number, Frame& frame) {
  const ShapeNode& node = shape.nodes[number];
  if (node.slot != kNone) frame.slots.push_back(node.slot);
  if (node.op == nullptr) {
    frame.bytes.push_back(kHole);
    put_text(frame.bytes, network_.labels.process_name(shape.slot_process[node.slot]));
    return;
  }
  frame.bytes += op(node.number);
  if (says_count(node.kind)) put_unsigned(frame.bytes, node.children.size());
  for (const std::uint32_t child : node.children) add_node(shape, child, frame);
}

// ---------------------------------------------------------------- components

const CanonicalEncoder::Component& CanonicalEncoder::component(LocalId local, ProcessId owner) {
  if (locals_.size() <= local) locals_.resize(local + std::size_t{1}, {nullptr, 0, 0, 0});
  Component& known = locals_[local];
  if (known.bytes == nullptr) {
    std::string form;
    std::string values;
    const std::uint32_t position = network_.position_of(local);
    form.push_back(position == kTreePosition || position == kCountedPosition ? kTree : kOfOwner);
    if (position == kTreePosition) {
      put_tree(static_cast<TreeId>(network_.parameters(local)[0]), form, values);
    } else if (position == kCountedPosition) {
      put_counted(local, owner, form, values);
    } else {
      put_local(local, form, values);
    }
    const auto form_size = static_cast<std::uint32_t>(form.size());
    form += values;
    known = {kept(form), static_cast<std::uint32_t>(form.size()), form_size, fragment_hash(form)};
  }
  return known;
}

const char* CanonicalEncoder::kept(std::string_view bytes) {
  if (blocks_.empty() || blocks_.back().bytes() - used_ < bytes.size()) {
    blocks_.emplace_back(budget_, std::max(kBlockBytes, bytes.size()), Access::kInNoOrder, false);
    used_ = 0;
  }
  char* const place = blocks_.back().as<char>() + used_;
  std::ranges::copy(bytes, place);
  used_ += bytes.size();
  return place;
}

void CanonicalEncoder::put_local(LocalId local, std::string& form, std::string& values) {
  const CanonicalNames::PositionName& name = position(network_.position_of(local));
  form += name.identity;
  const std::span<const std::int32_t> parameters = network_.parameters(local);
  for (std::size_t i = 0; i < parameters.size(); ++i) put_value(name.by_number[i] != 0, parameters[i], values);
}

void CanonicalEncoder::put_tree(TreeId tree, std::string& form, std::string& values) {
  const OperatorId number = network_.trees.operator_of(tree);
  const NodeKind kind = network_.trees.op(number).kind;
  const std::vector<std::uint32_t> payload(network_.trees.payload(tree).begin(), network_.trees.payload(tree).end());
  const std::size_t children = Trees::child_count(kind, payload.size());
  form += op(number);
  if (says_count(kind)) put_unsigned(form, children);
  if (children < payload.size()) put_local(payload.back(), form, values);
  for (std::size_t i = 0; i < children; ++i) put_tree(payload[i], form, values);
}

void CanonicalEncoder::put_counted(LocalId counted, ProcessId owner, std::string& form, std::string& values) {
  const std::int32_t cutoff = network_.cutoff(network_.group_of(counted));
  form.push_back(kCounted);
  put_text(form, network_.labels.process_name(owner));
  put_unsigned(form, cutoff == kExact ? 0 : static_cast<std::uint64_t>(cutoff) + 1);
  struct Listed {
    std::string form;
    std::string values;
    std::int32_t count = 0;
  };
  std::vector<Listed> members(network_.member_count(counted));
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member member = network_.member(counted, i);
    put_local(member.local, members[i].form, members[i].values);
    members[i].count = member.count;
  }
  std::ranges::sort(members, [](const Listed& one, const Listed& other) {
    return std::tie(one.form, one.values, one.count) < std::tie(other.form, other.values, other.count);
  });
  put_unsigned(form, members.size());
  for (const Listed& member : members) {
    form += member.form;
    put_unsigned(form, static_cast<std::uint64_t>(member.count));
    values += member.values;
  }
}

const std::string& CanonicalEncoder::op(OperatorId number) {
  if (operators_.size() <= number) operators_.resize(number + std::size_t{1});
  if (operators_[number].empty()) operators_[number] = names_->op(number);
  return operators_[number];
}

const CanonicalNames::PositionName& CanonicalEncoder::position(std::uint32_t number) {
  if (positions_.size() <= number) positions_.resize(number + std::size_t{1});
  if (positions_[number].identity.empty()) positions_[number] = names_->position(number);
  return positions_[number];
}

// ---------------------------------------------------------------- values

void CanonicalEncoder::put_value(bool by_number, std::int32_t word, std::string& out) {
  if (!by_number) {
    put_signed(out, word);
    return;
  }
  const Values& values = *network_.calls.values();
  if (values.kind(word) == ValueKind::kOpaque) {
    put_text(out, names_->value(word));
    return;
  }
  std::string content;
  values.read(word, items_);
  for (const std::int32_t item : items_) put_signed(content, item);
  put_text(out, content);
}

void CanonicalEncoder::put_values(const std::vector<std::int32_t>& values, std::string& out) {
  const std::vector<std::uint8_t>* flags = &slots_.by_number;
  if (!slots_.buffers.empty()) {
    flags_ = slots_.by_number;
    for (const CanonicalBuffers& buffers : slots_.buffers) {
      for (std::uint32_t number = 0; number < buffers.count; ++number) {
        const std::uint32_t base = buffers.base + number * buffers.stride;
        for (std::int32_t message = 0; message < values[base]; ++message) {
          std::uint32_t first = base + 1 + static_cast<std::uint32_t>(message) * buffers.width;
          const bool has_form = buffers.forms.size() > 1;
          const auto& form = buffers.forms[has_form ? static_cast<std::size_t>(values[first]) : 0];
          if (has_form) ++first;
          std::ranges::copy(form, flags_.begin() + first);
        }
      }
    }
    flags = &flags_;
  }
  for (std::size_t i = 0; i < values.size(); ++i) put_value((*flags)[i] != 0, values[i], out);
}

}  // namespace fairlead
