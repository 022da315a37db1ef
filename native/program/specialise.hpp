// Code for one local state: its parameters are constants, so that most arithmetic is done in advance.
#pragma once

#include "program/bytecode.hpp"

namespace fairlead {

// How many words follow an instruction.
int operand_count(Op op);
bool is_jump(Op op);

// The code with the values of the parameters filled in and constants folded. A fault in a constant
// operation is left in the code: it may never be reached.
std::vector<std::int32_t> specialise(const std::int32_t* code, std::span<const std::int32_t> parameters);
// The same where only some values are known; the other parameters stay in the code.
std::vector<std::int32_t> specialise(const std::int32_t* code, std::span<const std::int32_t> parameters,
                                     std::span<const std::uint8_t> known);

// Code that only stores constants, as (variable, value) pairs; false if it does more.
bool only_stores_constants(const std::int32_t* code, std::vector<std::pair<std::int32_t, std::int32_t>>& stores);

}  // namespace fairlead
