#include "program/specialise.hpp"

#include <algorithm>
#include <optional>

namespace fairlead {

int operand_count(Op op) {
  switch (op) {
    case Op::kConst:
    case Op::kShared:
    case Op::kParameter:
    case Op::kLocal:
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kModulo:
    case Op::kJump:
    case Op::kJumpIfFalse:
    case Op::kAndThen:
    case Op::kOrElse:
    case Op::kStoreShared:
    case Op::kStoreLocal:
    case Op::kLoop:
    case Op::kEqualConst:
    case Op::kReceived:
      return 1;
    case Op::kSharedEqualConst:
    case Op::kSharedUnequalConst:
    case Op::kSharedLessConst:
    case Op::kSharedGreaterConst:
    case Op::kSharedLessEqualConst:
    case Op::kSharedGreaterEqualConst:
    case Op::kKeepShared:
      return 2;
    case Op::kSharedAt:
    case Op::kLocalAt:
    case Op::kCheckRange:
    case Op::kStoreSharedAt:
    case Op::kStoreLocalAt:
    case Op::kEnqueue:
    case Op::kDequeue:
    case Op::kCall:
    case Op::kGather:
    case Op::kGatherLocal:
      return 3;
    case Op::kSharedAtParameter:
    case Op::kSharedAtStride:
    case Op::kBuiltIn:
      return 4;
    default:
      return 0;
  }
}

bool is_jump(Op op) { return op == Op::kJump || op == Op::kJumpIfFalse || op == Op::kAndThen || op == Op::kOrElse; }

namespace {

bool is_binary(Op op) { return (op >= Op::kAdd && op <= Op::kBitXor); }

// Comparing a shared variable with a constant, in one instruction.
std::optional<Op> comparison_with_constant(Op op) {
  switch (op) {
    case Op::kEqual:
    case Op::kEqualConst:
      return Op::kSharedEqualConst;
    case Op::kUnequal:
      return Op::kSharedUnequalConst;
    case Op::kLess:
      return Op::kSharedLessConst;
    case Op::kGreater:
      return Op::kSharedGreaterConst;
    case Op::kLessEqual:
      return Op::kSharedLessEqualConst;
    case Op::kGreaterEqual:
      return Op::kSharedGreaterEqualConst;
    default:
      return std::nullopt;
  }
}

// Rewrites code instruction by instruction. Invariants: the last `known_` instructions written are constants
// that no jump leads between; nor does one lead to just behind a kShared that ends at `last_shared_`.
class Rewriter {
 public:
  // Without `is_known` all parameters are.
  Rewriter(const std::int32_t* code, std::span<const std::int32_t> parameters, std::span<const std::uint8_t> is_known)
      : code_(code), parameters_(parameters), is_known_(is_known) {}

  std::vector<std::int32_t> rewrite() {
    find_targets();
    std::size_t at = 0;
    for (;;) {
      moved_.resize(at + 1, 0);
      if (is_target(at)) {
        known_ = 0;
        last_shared_ = kNowhere;
      }
      moved_[at] = static_cast<std::int32_t>(out_.size());
      const auto op = static_cast<Op>(code_[at]);
      instruction(op, code_ + at + 1, at);
      if (op == Op::kEnd) break;
      at += 1 + static_cast<std::size_t>(operand_count(op));
    }
    for (const auto& [place, target] : jumps_) {
      out_[place] = moved_[target] - static_cast<std::int32_t>(place) - 1;
    }
    return out_;
  }

 private:
  void find_targets() {
    for (std::size_t at = 0;;) {
      const auto op = static_cast<Op>(code_[at]);
      if (op == Op::kEnd) break;
      const std::size_t next = at + 1 + static_cast<std::size_t>(operand_count(op));
      if (is_jump(op)) {
        targets_.push_back(static_cast<std::size_t>(static_cast<std::int64_t>(next) + code_[at + 1]));
      }
      at = next;
    }
    std::sort(targets_.begin(), targets_.end());
  }
  [[nodiscard]] bool is_target(std::size_t at) const {
    return std::binary_search(targets_.begin(), targets_.end(), at);
  }

  void emit(Op op, std::initializer_list<std::int32_t> operands) {
    out_.push_back(static_cast<std::int32_t>(op));
    out_.insert(out_.end(), operands);
    known_ = 0;
  }
  void emit_shared(std::int32_t slot) {
    emit(Op::kShared, {slot});
    last_shared_ = out_.size();
  }
  void emit_constant(std::int32_t value) {
    const std::size_t known = known_;
    emit(Op::kConst, {value});
    known_ = known + 1;
  }
  [[nodiscard]] std::int32_t constant(std::size_t from_top) const { return out_[out_.size() - 2 * from_top - 1]; }
  void drop_constants(std::size_t count) {
    out_.resize(out_.size() - 2 * count);
    known_ -= count;
  }

  [[nodiscard]] bool knows(std::int32_t parameter) const {
    return is_known_.empty() || is_known_[static_cast<std::size_t>(parameter)] != 0;
  }

  void instruction(Op op, const std::int32_t* operands, std::size_t at) {
    if (op == Op::kParameter && knows(operands[0])) {
      emit_constant(parameters_[static_cast<std::size_t>(operands[0])]);
    } else if (op == Op::kConst) {
      emit_constant(operands[0]);
    } else if (op == Op::kSharedAtParameter && knows(operands[2])) {
      emit_constant(parameters_[static_cast<std::size_t>(operands[2])]);
      element(operands[0], operands[1], operands[3]);
    } else if (op == Op::kSharedAt) {
      element(operands[0], operands[1], operands[2]);
    } else if (op == Op::kSharedAtStride && known_ >= 1 && constant(0) >= 0 && constant(0) < operands[1]) {
      const std::int32_t slot = operands[0] + constant(0) * operands[2];
      drop_constants(1);
      emit_shared(slot);
    } else if (op == Op::kShared) {
      emit_shared(operands[0]);
    } else if (is_jump(op)) {
      emit(op, {0});
      const std::size_t next = at + 2;
      jumps_.emplace_back(out_.size() - 1, static_cast<std::size_t>(static_cast<std::int64_t>(next) + operands[0]));
    } else if (!folded(op, operands)) {
      out_.push_back(static_cast<std::int32_t>(op));
      out_.insert(out_.end(), operands, operands + operand_count(op));
      known_ = 0;
    }
  }

  void element(std::int32_t base, std::int32_t size, std::int32_t site) {
    if (known_ >= 1 && constant(0) >= 0 && constant(0) < size) {
      const std::int32_t index = constant(0);
      drop_constants(1);
      emit_shared(base + index);
    } else {
      emit(Op::kSharedAt, {base, size, site});
    }
  }

  // Carries an operation out now, if everything it needs is known.
  bool folded(Op op, const std::int32_t* operands) {
    if (const std::optional<Op> comparison = comparison_with_constant(op)) {
      const std::size_t constants = op == Op::kEqualConst ? 0 : 1;
      if (last_shared_ + 2 * constants == out_.size() && known_ == constants) {
        const std::int32_t value = constants == 0 ? operands[0] : constant(0);
        drop_constants(constants);
        const std::int32_t slot = out_.back();
        out_.resize(out_.size() - 2);
        emit(*comparison, {slot, value});
        return true;
      }
    }
    if (op == Op::kStoreSharedAt && known_ >= 1 && constant(0) >= 0 && constant(0) < operands[1]) {
      const std::int32_t slot = operands[0] + constant(0);
      drop_constants(1);
      emit(Op::kStoreShared, {slot});
      return true;
    }
    if (op == Op::kCheckRange && known_ >= 1) {
      return constant(0) >= operands[0] && constant(0) <= operands[1];  // nothing left to check
    }
    const bool unary = op == Op::kNot || op == Op::kNegate || op == Op::kEqualConst;
    const std::size_t needed = is_binary(op) ? 2 : unary ? 1 : 0;
    if (needed == 0 || known_ < needed) return false;
    std::vector<std::int32_t> piece;
    for (std::size_t i = needed; i-- > 0;) {
      piece.push_back(static_cast<std::int32_t>(Op::kConst));
      piece.push_back(constant(i));
    }
    piece.push_back(static_cast<std::int32_t>(op));
    piece.insert(piece.end(), operands, operands + operand_count(op));
    piece.push_back(static_cast<std::int32_t>(Op::kEnd));
    try {
      Scope nothing;
      const std::int32_t value = run(piece.data(), nothing);
      drop_constants(needed);
      emit_constant(value);
      return true;
    } catch (const ModelFault&) {
      return false;
    }
  }

  const std::int32_t* code_;
  std::span<const std::int32_t> parameters_;
  std::span<const std::uint8_t> is_known_;
  std::vector<std::size_t> targets_;
  std::vector<std::int32_t> moved_;  // old offset -> new offset
  std::vector<std::pair<std::size_t, std::size_t>> jumps_;  // place of the distance, old target
  std::vector<std::int32_t> out_;
  std::size_t known_ = 0;
  static constexpr std::size_t kNowhere = ~std::size_t{0} / 2;
  std::size_t last_shared_ = kNowhere;  // size of out_ just after a kShared was written
};

}  // namespace

std::vector<std::int32_t> specialise(const std::int32_t* code, std::span<const std::int32_t> parameters) {
  return Rewriter(code, parameters, {}).rewrite();
}

std::vector<std::int32_t> specialise(const std::int32_t* code, std::span<const std::int32_t> parameters,
                                     std::span<const std::uint8_t> known) {
  return Rewriter(code, parameters, known).rewrite();
}

bool only_stores_constants(const std::int32_t* code, std::vector<std::pair<std::int32_t, std::int32_t>>& stores) {
  stores.clear();
  while (static_cast<Op>(*code) != Op::kEnd) {
    if (static_cast<Op>(code[0]) != Op::kConst || static_cast<Op>(code[2]) != Op::kStoreShared) return false;
    stores.emplace_back(code[3], code[1]);
    code += 4;
  }
  return true;
}

}  // namespace fairlead
