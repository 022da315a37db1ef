#include "program/footprint.hpp"

#include "program/specialise.hpp"

namespace fairlead {

bool Footprint::add_code(const std::int32_t* code, std::size_t variables) {
  bool can_fail = false;
  std::int32_t index = 0;  // that the instruction before has put on the stack, on the only way here, if it is known
  bool is_known = false;
  bool jumps = false;
  // The buffer of a channel, which is one of an array if the index is not known. A message is put where nothing is, and the
  // first variable tells where that is; when one is taken out, all move up.
  const auto buffer = [&](std::int32_t base, std::int32_t stride, bool fills) {
    const auto first = static_cast<std::size_t>(std::int64_t{base} + std::int64_t{index} * stride);
    const std::size_t count = is_known ? static_cast<std::size_t>(stride) : variables - first;
    writes.add_range(first, count);
    reads.add_range(first, fills && is_known ? 1 : count);
  };
  for (;;) {
    const auto op = static_cast<Op>(*code);
    const std::int32_t* operands = code + 1;
    const auto first = [&] { return static_cast<std::size_t>(operands[0]); };
    const auto size = [&] { return static_cast<std::size_t>(operands[1]); };
    switch (op) {
      case Op::kEnd:
        return can_fail;
      case Op::kShared:
      case Op::kSharedEqualConst:
      case Op::kSharedUnequalConst:
      case Op::kSharedLessConst:
      case Op::kSharedGreaterConst:
      case Op::kSharedLessEqualConst:
      case Op::kSharedGreaterEqualConst:
        reads.add(first());
        break;
      case Op::kSharedAt:
      case Op::kSharedAtParameter:
        can_fail = true;
        reads.add_range(first(), size());
        break;
      case Op::kSharedAtStride:
        can_fail = true;
        for (std::size_t i = 0; i < size(); ++i) reads.add(first() + i * static_cast<std::size_t>(operands[2]));
        break;
      case Op::kGather:
        reads.add_range(first(), size());
        break;
      case Op::kStoreShared:
        writes.add(first());
        break;
      case Op::kStoreSharedAt:
        can_fail = true;
        writes.add_range(first(), size());
        break;
      case Op::kEnqueue:
      case Op::kDequeue:
        buffer(operands[0], operands[1], op == Op::kEnqueue);
        break;
      case Op::kLocalAt:
      case Op::kStoreLocalAt:
      case Op::kNegate:
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kModulo:
      case Op::kCheckRange:
      case Op::kLoop:
      case Op::kCall:
      case Op::kBuiltIn:
        can_fail = true;
        break;
      default:
        break;
    }
    jumps = jumps || is_jump(op);
    is_known = op == Op::kConst && operands[0] >= 0 && !jumps;
    index = is_known ? operands[0] : 0;
    code += 1 + operand_count(op);
  }
}

}  // namespace fairlead
