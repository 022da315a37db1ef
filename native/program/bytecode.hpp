// Guards, label arguments, target arguments and updates: compact code for a stack machine.
#pragma once

#include <utility>

#include "program/calls.hpp"

namespace fairlead {

// Operands follow the opcode as 32-bit words. Python knows them as `_native.Op`.
enum class Op : std::int32_t {
  kEnd,
  kConst,        // value
  kShared,       // slot
  kParameter,    // slot
  kLocal,        // slot
  kSharedAt,     // base size site      index -> value
  kLocalAt,      // base size site      index -> value
  kNot,
  kNegate,       // site
  kAdd,          // site
  kSubtract,     // site
  kMultiply,     // site
  kDivide,       // site
  kModulo,       // site
  kEqual,
  kUnequal,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kBitAnd,
  kBitOr,
  kBitXor,
  kJump,         // offset from the next instruction
  kJumpIfFalse,  // offset; takes the condition
  kAndThen,      // offset; false stays and jumps, true is taken
  kOrElse,       // offset; true stays and jumps, false is taken
  kCheckRange,   // low high site       value stays
  kStoreShared,  // slot
  kStoreLocal,   // slot
  kStoreSharedAt,  // base size site    value index ->
  kStoreLocalAt,   // base size site    value index ->
  kLoop,         // site; counts a round
  // common combinations
  kSharedAtParameter,   // base size parameter site
  kSharedEqualConst,    // slot value
  kSharedUnequalConst,  // slot value
  kEqualConst,          // value
  kReceived,            // field of the message that is received
  kSharedAtStride,      // base size stride site    index -> value
  kEnqueue,             // base stride width        values... index ->
  kDequeue,             // base stride width        index ->
  kPop,                 // value ->
  kSharedLessConst,     // slot value; these four only specialise() writes
  kSharedGreaterConst,
  kSharedLessEqualConst,
  kSharedGreaterEqualConst,
  // values that are not integers
  kCall,         // function count site   arguments... -> value
  kGather,       // base size kind        -> a shared array as one value
  kGatherLocal,  // base size kind        -> a local array as one value
  kBuiltIn,      // built-in function count site    arguments... -> value
  kFresh,        // what earlier code has made is not needed any more
  kKeep,         // container -> the same, with a number
  kKeepShared,   // base size             gives numbers to what has been stored there
  kEqualValues,  // container container -> whether they are equal
};

// A run-time error of the model: where in its text (a site known to Python) and the value at fault.
struct ModelFault {
  std::int32_t site;
  std::int64_t value;
};

// The buffer of a channel: its length, then the messages of `width` slots each; room not used holds 0.
struct Buffer {
  std::int32_t first = 0;
  std::int32_t stride = 0;  // how many slots it takes
  std::int32_t width = 0;
};

// What code can see. Writes to shared variables are logged so that they can be undone.
struct Scope {
  std::int32_t* shared = nullptr;
  const std::int32_t* parameters = nullptr;
  const std::int32_t* received = nullptr;
  std::vector<std::int32_t> locals;
  std::vector<std::pair<std::int32_t, std::int32_t>> written;  // slot, value before
  std::int64_t rounds = 0;
  Calls* calls = nullptr;
  Scratch scratch;  // containers that code has made
  Buffer filled;  // into which a message was put last

  void write(std::int32_t slot, std::int32_t value) {
    written.emplace_back(slot, shared[slot]);
    shared[slot] = value;
  }
  // Slots of a buffer that keep their value are not written: messages are often equal.
  void put(std::int32_t slot, std::int32_t value) {
    if (shared[slot] != value) write(slot, value);
  }
  void enqueue(const Buffer& buffer, const std::int32_t* message) {
    const std::int32_t room = buffer.first + 1 + shared[buffer.first] * buffer.width;
    for (std::int32_t i = 0; i < buffer.width; ++i) put(room + i, message[i]);
    write(buffer.first, shared[buffer.first] + 1);
    filled = buffer;
  }
  void dequeue(const Buffer& buffer) {
    const std::int32_t last = buffer.first + shared[buffer.first] * buffer.width;
    std::int32_t slot = buffer.first + 1;
    for (; slot + buffer.width <= last; ++slot) put(slot, shared[slot + buffer.width]);
    for (; slot <= last; ++slot) put(slot, 0);
    write(buffer.first, shared[buffer.first] - 1);
  }
  void undo() { undo_to(0); }
  // Takes back what was written after the first so many.
  void undo_to(std::size_t count) {
    for (auto i = written.size(); i-- > count;) shared[written[i].first] = written[i].second;
    written.resize(count);
  }
};

inline constexpr std::int64_t kRoundLimit = 1'000'000;

namespace detail {

inline std::int32_t fit(std::int64_t value, std::int32_t site) {
  if (value < INT32_MIN || value > INT32_MAX) throw ModelFault{site, value};
  return static_cast<std::int32_t>(value);
}

inline std::int32_t index(std::int32_t value, std::int32_t size, std::int32_t site) {
  if (value < 0 || value >= size) throw ModelFault{site, value};
  return value;
}

inline std::int32_t divide(std::int64_t left, std::int64_t right, std::int32_t site) {
  if (right == 0) throw ModelFault{site, 0};
  return fit(left / right, site);
}

// never negative: (-1) % n is n - 1
inline std::int32_t modulo(std::int64_t left, std::int64_t right, std::int32_t site) {
  if (right == 0) throw ModelFault{site, 0};
  const std::int64_t divisor = right < 0 ? -right : right;
  const std::int64_t rest = left % divisor;
  return static_cast<std::int32_t>(rest < 0 ? rest + divisor : rest);
}

inline std::int32_t gather(const std::int32_t* variables, const std::int32_t* operands, Scratch& scratch) {
  const std::span<const std::int32_t> items{variables + operands[0], static_cast<std::size_t>(operands[1])};
  return scratch.add(static_cast<ValueKind>(operands[2]), items);
}

// What was in a place before has a number, so whatever has none was stored by this code.
inline void keep_shared(const std::int32_t* operands, Scope& scope) {
  std::int32_t* const first = scope.shared + operands[0];
  for (std::int32_t* word = first; word != first + operands[1]; ++word) *word = scope.calls->keep(*word, scope.scratch);
}

}  // namespace detail

// Runs code to its end; returns the value left on the stack (0 if none). The compiler guarantees that the
// stack never holds more than kStackDepth values.
inline constexpr int kStackDepth = 256;

inline std::int32_t run(const std::int32_t* code, Scope& scope) {
  std::int32_t stack[kStackDepth];
  std::int32_t* top = stack;  // one above the topmost value
  auto binary = [&](auto operation) {
    --top;
    top[-1] = operation(top[-1], top[0]);
  };
  for (;;) {
    switch (static_cast<Op>(*code++)) {
      case Op::kEnd:
        return top == stack ? 0 : top[-1];
      case Op::kConst:
        *top++ = *code++;
        break;
      case Op::kShared:
        *top++ = scope.shared[*code++];
        break;
      case Op::kParameter:
        *top++ = scope.parameters[*code++];
        break;
      case Op::kLocal:
        *top++ = scope.locals[static_cast<std::size_t>(*code++)];
        break;
      case Op::kSharedAt:
        top[-1] = scope.shared[code[0] + detail::index(top[-1], code[1], code[2])];
        code += 3;
        break;
      case Op::kLocalAt:
        top[-1] = scope.locals[static_cast<std::size_t>(code[0]) +
                               static_cast<std::size_t>(detail::index(top[-1], code[1], code[2]))];
        code += 3;
        break;
      case Op::kNot:
        top[-1] = 1 - top[-1];
        break;
      case Op::kNegate:
        top[-1] = detail::fit(-static_cast<std::int64_t>(top[-1]), *code++);
        break;
      case Op::kAdd:
        --top;
        top[-1] = detail::fit(static_cast<std::int64_t>(top[-1]) + top[0], *code++);
        break;
      case Op::kSubtract:
        --top;
        top[-1] = detail::fit(static_cast<std::int64_t>(top[-1]) - top[0], *code++);
        break;
      case Op::kMultiply:
        --top;
        top[-1] = detail::fit(static_cast<std::int64_t>(top[-1]) * top[0], *code++);
        break;
      case Op::kDivide:
        --top;
        top[-1] = detail::divide(top[-1], top[0], *code++);
        break;
      case Op::kModulo:
        --top;
        top[-1] = detail::modulo(top[-1], top[0], *code++);
        break;
      case Op::kEqual:
        binary([](auto a, auto b) { return a == b; });
        break;
      case Op::kUnequal:
        binary([](auto a, auto b) { return a != b; });
        break;
      case Op::kLess:
        binary([](auto a, auto b) { return a < b; });
        break;
      case Op::kGreater:
        binary([](auto a, auto b) { return a > b; });
        break;
      case Op::kLessEqual:
        binary([](auto a, auto b) { return a <= b; });
        break;
      case Op::kGreaterEqual:
        binary([](auto a, auto b) { return a >= b; });
        break;
      case Op::kBitAnd:
        binary([](auto a, auto b) { return a & b; });
        break;
      case Op::kBitOr:
        binary([](auto a, auto b) { return a | b; });
        break;
      case Op::kBitXor:
        binary([](auto a, auto b) { return a ^ b; });
        break;
      case Op::kJump:
        code += *code + 1;
        break;
      case Op::kJumpIfFalse:
        code += (*--top == 0) ? *code + 1 : 1;
        break;
      case Op::kAndThen:
        if (top[-1] == 0) {
          code += *code + 1;
        } else {
          --top;
          ++code;
        }
        break;
      case Op::kOrElse:
        if (top[-1] != 0) {
          code += *code + 1;
        } else {
          --top;
          ++code;
        }
        break;
      case Op::kCheckRange:
        if (top[-1] < code[0] || top[-1] > code[1]) throw ModelFault{code[2], top[-1]};
        code += 3;
        break;
      case Op::kStoreShared: {
        std::int32_t& place = scope.shared[*code];
        scope.written.emplace_back(*code++, place);
        place = *--top;
        break;
      }
      case Op::kStoreLocal:
        scope.locals[static_cast<std::size_t>(*code++)] = *--top;
        break;
      case Op::kStoreSharedAt: {
        const std::int32_t slot = code[0] + detail::index(*--top, code[1], code[2]);
        code += 3;
        scope.written.emplace_back(slot, scope.shared[slot]);
        scope.shared[slot] = *--top;
        break;
      }
      case Op::kStoreLocalAt: {
        const std::int32_t slot = code[0] + detail::index(*--top, code[1], code[2]);
        code += 3;
        scope.locals[static_cast<std::size_t>(slot)] = *--top;
        break;
      }
      case Op::kLoop:
        if (++scope.rounds > kRoundLimit) throw ModelFault{*code, 0};
        if (scope.scratch.is_full()) scope.calls->tidy(scope.scratch, scope.locals, scope.shared);
        ++code;
        break;
      case Op::kSharedAtParameter:
        *top++ = scope.shared[code[0] + detail::index(scope.parameters[code[2]], code[1], code[3])];
        code += 4;
        break;
      case Op::kSharedEqualConst:
        *top++ = scope.shared[code[0]] == code[1];
        code += 2;
        break;
      case Op::kSharedUnequalConst:
        *top++ = scope.shared[code[0]] != code[1];
        code += 2;
        break;
      case Op::kEqualConst:
        top[-1] = top[-1] == *code++;
        break;
      case Op::kReceived:
        *top++ = scope.received[*code++];
        break;
      case Op::kSharedAtStride:
        top[-1] = scope.shared[code[0] + detail::index(top[-1], code[1], code[3]) * code[2]];
        code += 4;
        break;
      case Op::kEnqueue: {
        const Buffer buffer{code[0] + *--top * code[1], code[1], code[2]};
        top -= code[2];
        scope.enqueue(buffer, top);
        code += 3;
        break;
      }
      case Op::kDequeue: {
        scope.dequeue(Buffer{code[0] + *--top * code[1], code[1], code[2]});
        code += 3;
        break;
      }
      case Op::kPop:
        --top;
        break;
      case Op::kSharedLessConst:
        *top++ = scope.shared[code[0]] < code[1];
        code += 2;
        break;
      case Op::kSharedGreaterConst:
        *top++ = scope.shared[code[0]] > code[1];
        code += 2;
        break;
      case Op::kSharedLessEqualConst:
        *top++ = scope.shared[code[0]] <= code[1];
        code += 2;
        break;
      case Op::kSharedGreaterEqualConst:
        *top++ = scope.shared[code[0]] >= code[1];
        code += 2;
        break;
      case Op::kCall:
        top -= code[1];
        *top = scope.calls->call(code[0], {top, static_cast<std::size_t>(code[1])}, code[2]);
        ++top;
        code += 3;
        break;
      case Op::kGather:
        *top++ = detail::gather(scope.shared, code, scope.scratch);
        code += 3;
        break;
      case Op::kGatherLocal:
        *top++ = detail::gather(scope.locals.data(), code, scope.scratch);
        code += 3;
        break;
      case Op::kBuiltIn:
        top -= code[2];
        *top = scope.calls->built_in(code, top, scope.scratch);
        ++top;
        code += 4;
        break;
      case Op::kFresh:
        scope.scratch.clear();
        break;
      case Op::kKeep:
        top[-1] = scope.calls->keep(top[-1], scope.scratch);
        break;
      case Op::kKeepShared:
        detail::keep_shared(code, scope);
        code += 2;
        break;
      case Op::kEqualValues:
        --top;
        top[-1] = scope.calls->equal(top[-1], top[0], scope.scratch) ? 1 : 0;
        break;
    }
  }
}

}  // namespace fairlead
