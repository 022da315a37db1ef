#include "program/calls.hpp"

#include "program/bytecode.hpp"

namespace fairlead {

std::int32_t Calls::call(std::int32_t function, std::span<const std::int32_t> arguments, std::int32_t site) {
  thread_local std::vector<std::uint32_t> key;
  key.assign(1, static_cast<std::uint32_t>(function));
  for (const std::int32_t argument : arguments) key.push_back(static_cast<std::uint32_t>(argument));
  const auto [index, is_new] = keys_.intern(key);
  if (is_new) {
    results_.push_back(kUnknown);
    // the interned key with its place in the table, and the result
    if (budget_ != nullptr) budget_->charge(32 + 4 * key.size());
  }
  if (results_[index] != kUnknown) return static_cast<std::int32_t>(results_[index]);
  require_growth();
  if (ticker_ != nullptr) ticker_->tick_slowly();
  const CallAnswer answer = ask_(function, arguments);
  if (budget_ != nullptr) {
    budget_->charge(answer.bytes);
    if (values_ != nullptr) values_->settle(*budget_);
  }
  if (answer.failed) throw ModelFault{site, answer.word};
  results_[index] = answer.word;
  return answer.word;
}

std::int32_t Calls::intern(std::int32_t word, const Scratch& scratch) {
  if (in_order_) require_growth();
  return values_->intern(scratch.kind(word), scratch.items(word), budget_);
}

std::int32_t Calls::failing(const std::int32_t* operands, std::int32_t* arguments, const Scratch& scratch) {
  require_growth();
  const std::uint32_t containers = container_arguments(operands[0]);
  for (std::int32_t i = 0; i < operands[2]; ++i) {
    if ((containers >> i & 1) != 0) arguments[i] = keep(arguments[i], scratch);
  }
  return call(operands[1], {arguments, static_cast<std::size_t>(operands[2])}, operands[3]);
}

bool Calls::equal(std::int32_t left, std::int32_t right, Scratch& scratch) const {
  if (left == right) return true;
  if (!Scratch::has(left) && !Scratch::has(right)) return false;
  const auto kind = [&](std::int32_t word) { return Scratch::has(word) ? scratch.kind(word) : values_->kind(word); };
  return kind(left) == kind(right) &&
         std::ranges::equal(scratch.open(left, 0, *values_), scratch.open(right, 1, *values_));
}

// One that continues for long is left to the thread that can be stopped.
void Calls::tidy(Scratch& scratch, std::span<const std::int32_t> locals, const std::int32_t* shared) {
  require_growth();
  if (ticker_ != nullptr) ticker_->tick_slowly();
  scratch.keep_only({locals, {shared, shared == nullptr ? 0 : variables_}});
}

// The scratch is not charged, since it is soon empty again; but it must not take more than there is.
void Calls::check_room(const Scratch& scratch) const {
  require_growth();
  if (ticker_ != nullptr) ticker_->tick_slowly();
  if (budget_ == nullptr) return;
  const std::size_t bytes = scratch.bytes();
  if (bytes > budget_->limit() || !budget_->has_room(bytes)) throw LimitReached{Limit::kMemory};
}

}  // namespace fairlead
