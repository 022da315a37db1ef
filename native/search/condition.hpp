// Conditions after Emerson and Lei: positive boolean combinations of Inf(m), "steps with mark m occur forever",
// and Fin(m), "from some point on none does". Equal parts are stored once.
#pragma once

#include "search/marks.hpp"

namespace fairlead {

using ConditionId = std::uint32_t;
inline constexpr ConditionId kTrueCondition = 0;
inline constexpr ConditionId kFalseCondition = 1;

class Conditions {
 public:
  Conditions();

  ConditionId inf(MarkId mark) { return leaf(Kind::kInf, mark); }
  ConditionId fin(MarkId mark) { return leaf(Kind::kFin, mark); }
  ConditionId all(const std::vector<ConditionId>& parts) { return join(Kind::kAll, parts); }
  ConditionId any(const std::vector<ConditionId>& parts) { return join(Kind::kAny, parts); }

  // Whether a run that shows just these marks forever meets the condition.
  bool accepts(ConditionId condition, std::span<const std::uint64_t> marks);

  // What to do with a part of a graph whose steps have certain marks.
  struct Decision {
    enum class Kind {
      kAccept,  // a run through all of it meets the condition
      kReject,  // no run in it does
      kRemove,  // a run that does avoids the steps with `marks`
      kBranch,  // one may avoid the steps with the one mark in `marks`, or meet `others[0]`
      kEither,  // one meets one of `others`
    } kind = Kind::kAccept;
    // What remains to be met: the same demand, simplified for the part.
    ConditionId condition = kTrueCondition;
    std::vector<MarkId> marks;
    std::vector<ConditionId> others;
  };
  Decision decide(ConditionId condition, std::span<const std::uint64_t> marks);

  // Marks that are enough for a condition that is met by these marks: runs that show them, and no other than
  // these, meet it. As few as can be found by looking at each part by itself.
  std::vector<MarkId> enough(ConditionId condition, std::span<const std::uint64_t> marks);

 private:
  enum class Kind : std::uint8_t { kTrue, kFalse, kInf, kFin, kAll, kAny };

  [[nodiscard]] Kind kind(ConditionId node) const { return kinds_[node]; }
  // Of a leaf the mark, of others the parts.
  [[nodiscard]] std::span<const std::uint32_t> content(ConditionId node) const { return keys_.get(node).subspan(1); }
  ConditionId make(Kind kind, std::span<const std::uint32_t> content);
  ConditionId leaf(Kind kind, MarkId mark);
  ConditionId join(Kind kind, const std::vector<ConditionId>& parts);
  // The parts of a condition, each after its own parts, itself last.
  const std::vector<ConditionId>& parts_of(ConditionId condition);
  // The condition with its leaves replaced: `replace(leaf)` gives a condition.
  template <typename Replace>
  ConditionId replaced(ConditionId condition, Replace&& replace);
  // The truth of a condition given that of its leaves.
  template <typename Truth>
  bool evaluate(ConditionId condition, Truth&& truth);
  std::vector<MarkId> avoidable(ConditionId condition);
  bool needs_to_avoid(ConditionId condition, MarkId mark);

  // Invariant: parts have smaller numbers than what they are parts of.
  SequenceInterner keys_;  // kind and content
  std::vector<Kind> kinds_;
  std::vector<ConditionId> order_;      // scratch of parts_of()
  std::vector<ConditionId> pending_;
  Stamps met_;
  std::vector<std::uint32_t> values_;   // scratch, per condition
};

// A condition with the marks that it speaks of.
struct FairnessCondition {
  explicit FairnessCondition(Atoms& atoms) : marks(atoms) {}

  SystemMarks marks;
  Conditions conditions;
  ConditionId root = kTrueCondition;
};

}  // namespace fairlead
