#include "search/marks.hpp"

#include <algorithm>

namespace fairlead {

namespace {

void make_key(std::span<const std::uint64_t> words, std::vector<std::uint32_t>& key) {
  key.clear();
  for (const std::uint64_t word : words) {
    key.push_back(static_cast<std::uint32_t>(word));
    key.push_back(static_cast<std::uint32_t>(word >> 32));
  }
}

MarkWords words_of(std::span<const std::uint32_t> key) {
  MarkWords words(key.size() / 2);
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = key[2 * i] | std::uint64_t{key[2 * i + 1]} << 32;
  }
  return words;
}

}  // namespace

SystemMarks::SystemMarks(Atoms& atoms) : atoms_(atoms), state_classes_(atoms.graph().budget()) {}

MarkId SystemMarks::add(const Predicate& predicate) {
  const auto known = std::find(predicates_.begin(), predicates_.end(), predicate);
  if (known != predicates_.end()) return static_cast<MarkId>(known - predicates_.begin());
  bool reads_step = false;
  bool reads_state = false;
  for (const std::int32_t code : predicate) {
    if (code >= 0) (atoms_.is_step(static_cast<std::uint32_t>(code)) ? reads_step : reads_state) = true;
  }
  const Reads reads = reads_step ? (reads_state ? Reads::kBoth : Reads::kStep) : Reads::kState;
  (reads == Reads::kBoth ? by_both_ : reads == Reads::kStep ? by_step_ : by_state_) = true;
  predicates_.push_back(predicate);
  reads_.push_back(reads);
  return count() - 1;
}

bool SystemMarks::holds(const Predicate& predicate, std::span<const std::uint64_t> state_atoms,
                        std::span<const std::uint64_t> step_atoms) {
  stack_.clear();
  for (const std::int32_t word : predicate) {
    if (word >= 0) {
      const auto atom = static_cast<std::uint32_t>(word);
      stack_.push_back(has_mark(atoms_.is_step(atom) ? step_atoms : state_atoms, atom) ? 1 : 0);
      continue;
    }
    const auto code = static_cast<PredicateCode>(word);
    if (code == PredicateCode::kNot) {
      stack_.back() ^= 1;
    } else if (code == PredicateCode::kTrue || code == PredicateCode::kFalse) {
      stack_.push_back(code == PredicateCode::kTrue ? 1 : 0);
    } else {
      const std::uint8_t right = stack_.back();
      stack_.pop_back();
      stack_.back() = code == PredicateCode::kAnd ? stack_.back() & right : stack_.back() | right;
    }
  }
  return stack_.back() != 0;
}

PieceId SystemMarks::piece(Reads reads, std::span<const std::uint64_t> state_atoms,
                           std::span<const std::uint64_t> step_atoms) {
  MarkWords marks(word_count(), 0);
  for (MarkId mark = 0; mark < count(); ++mark) {
    if (reads_[mark] == reads && holds(predicates_[mark], state_atoms, step_atoms)) add_mark(marks, mark);
  }
  make_key(marks, key_);
  const auto [number, is_new] = piece_keys_.intern(key_);
  if (is_new) pool_.insert(pool_.end(), marks.begin(), marks.end());
  return number;
}

void SystemMarks::classify_state(StateId state) {
  if (state >= state_classes_.size()) {
    state_classes_.resize(std::max<std::size_t>(state + std::size_t{1}, atoms_.graph().state_count()), 0);
  }
  words_.assign(atoms_.word_count(), 0);
  atoms_.of_state(state, words_);
  make_key(words_, key_);
  const auto [number, is_new] = state_keys_.intern(key_);
  if (is_new) state_pieces_.push_back(piece(Reads::kState, words_, {}));
  state_classes_[state] = number + 1;
}

void SystemMarks::classify_actions() {
  const Labels& labels = atoms_.graph().labels();
  while (step_classes_.size() < labels.action_count()) {
    words_.assign(atoms_.word_count(), 0);
    for (const std::uint32_t atom : atoms_.of_action(static_cast<ActionId>(step_classes_.size()))) {
      add_mark(words_, atom);
    }
    make_key(words_, key_);
    const auto [number, is_new] = step_keys_.intern(key_);
    if (is_new) step_pieces_.push_back(piece(Reads::kStep, {}, words_));
    step_classes_.push_back(number);
  }
}

PieceId SystemMarks::piece_of_both(StateId state, ActionId action) {
  const std::uint32_t of_state = state_class(state);
  const std::uint32_t of_step = step_class(action);
  const std::uint64_t key = std::uint64_t{of_state} << 32 | of_step;
  const auto known = both_pieces_.find(key);
  if (known != both_pieces_.end()) return known->second;
  const PieceId found = piece(Reads::kBoth, words_of(state_keys_.get(of_state)), words_of(step_keys_.get(of_step)));
  both_pieces_.emplace(key, found);
  return found;
}

}  // namespace fairlead
