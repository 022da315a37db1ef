// Marks on the steps of a system: each is a predicate over the atoms of the position that a step leads to.
//
// Marks are told in pieces, since many steps have the same: what depends on the state alone, on the action alone,
// and, only where a predicate reads both, on the two together. A piece is a number for a set of marks.
#pragma once

#include "search/atoms.hpp"

namespace fairlead {

using MarkId = std::uint32_t;
using PieceId = std::uint32_t;
using MarkWords = std::vector<std::uint64_t>;  // a set of marks, as bits

inline bool has_mark(std::span<const std::uint64_t> words, MarkId mark) {
  return (words[mark >> 6] >> (mark & 63) & 1) != 0;
}
inline void add_mark(std::span<std::uint64_t> words, MarkId mark) {
  words[mark >> 6] |= std::uint64_t{1} << (mark & 63);
}

// A predicate in postfix notation: numbers of atoms from 0 on, and these.
enum class PredicateCode : std::int32_t { kNot = -1, kAnd = -2, kOr = -3, kTrue = -4, kFalse = -5 };
using Predicate = std::vector<std::int32_t>;

// All marks must have been added before the first question.
class SystemMarks {
 public:
  explicit SystemMarks(Atoms& atoms);

  // The number of a mark; numbers are dense, and equal predicates have the same.
  MarkId add(const Predicate& predicate);
  [[nodiscard]] MarkId count() const { return static_cast<MarkId>(predicates_.size()); }
  [[nodiscard]] std::size_t word_count() const { return (predicates_.size() + 63) / 64; }

  // Calls `visit(piece)` for what the state that steps lead to, and these by themselves, have to do with it:
  // the pieces of all steps of a strongly connected component are those of its states and of its steps.
  template <typename Visit>
  void for_state_piece(StateId target, Visit&& visit) {
    if (by_state_) visit(piece_of_state(target));
  }
  template <typename Visit>
  void for_step_pieces(StateId target, ActionId action, Visit&& visit) {
    if (by_step_) visit(piece_of_action(action));
    if (by_both_) visit(piece_of_both(target, action));
  }
  // Calls `visit(piece)` for the pieces that make up the marks of a step by an action into a state.
  template <typename Visit>
  void for_each_piece(StateId target, ActionId action, Visit&& visit) {
    for_state_piece(target, visit);
    for_step_pieces(target, action, visit);
  }
  // The marks of a piece.
  [[nodiscard]] std::span<const std::uint64_t> marks(PieceId piece) const {
    return {pool_.data() + piece * word_count(), word_count()};
  }

 private:
  enum class Reads : std::uint8_t { kState, kStep, kBoth };

  PieceId piece_of_state(StateId state) { return state_pieces_[state_class(state)]; }
  PieceId piece_of_action(ActionId action) { return step_pieces_[step_class(action)]; }
  PieceId piece_of_both(StateId state, ActionId action);
  std::uint32_t state_class(StateId state) {
    if (state >= state_classes_.size() || state_classes_[state] == 0) classify_state(state);
    return state_classes_[state] - 1;
  }
  std::uint32_t step_class(ActionId action) {
    if (action >= step_classes_.size()) classify_actions();
    return step_classes_[action];
  }
  void classify_state(StateId state);
  void classify_actions();
  // The piece with those marks of a kind whose predicates hold.
  PieceId piece(Reads reads, std::span<const std::uint64_t> state_atoms, std::span<const std::uint64_t> step_atoms);
  [[nodiscard]] bool holds(const Predicate& predicate, std::span<const std::uint64_t> state_atoms,
                           std::span<const std::uint64_t> step_atoms);

  Atoms& atoms_;
  std::vector<Predicate> predicates_;
  std::vector<Reads> reads_;
  bool by_state_ = false;
  bool by_step_ = false;
  bool by_both_ = false;
  ChunkedVector<std::uint32_t> state_classes_;  // per state: number of its class + 1, 0 if not known
  SequenceInterner state_keys_;                 // the atoms of a class, two numbers per word
  std::vector<PieceId> state_pieces_;           // per class
  std::vector<std::uint32_t> step_classes_;     // per action
  SequenceInterner step_keys_;
  std::vector<PieceId> step_pieces_;
  std::unordered_map<std::uint64_t, PieceId> both_pieces_;
  SequenceInterner piece_keys_;
  MarkWords pool_;
  MarkWords words_;  // scratch
  std::vector<std::uint32_t> key_;
  std::vector<std::uint8_t> stack_;
};

// Steps with one of certain marks.
class ExcludedMarks {
 public:
  ExcludedMarks(SystemMarks& marks, MarkWords excluded) : marks_(marks), excluded_(std::move(excluded)) {}

  [[nodiscard]] const MarkWords& words() const { return excluded_; }
  bool excludes(StateId target, ActionId action) {
    bool found = false;
    marks_.for_each_piece(target, action, [&](PieceId piece) { found = found || excludes(piece); });
    return found;
  }

 private:
  enum Known : std::uint8_t { kUnknown, kAllowed, kExcluded };

  bool excludes(PieceId piece) {
    if (piece >= known_.size()) known_.resize(piece + std::size_t{1}, kUnknown);
    if (known_[piece] == kUnknown) {
      known_[piece] = kAllowed;
      const std::span<const std::uint64_t> marks = marks_.marks(piece);
      for (std::size_t i = 0; i < marks.size(); ++i) {
        if ((marks[i] & excluded_[i]) != 0) known_[piece] = kExcluded;
      }
    }
    return known_[piece] == kExcluded;
  }

  SystemMarks& marks_;
  MarkWords excluded_;
  std::vector<Known> known_;  // per piece
};

}  // namespace fairlead
