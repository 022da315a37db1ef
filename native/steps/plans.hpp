// Plans: what steps that change the shape do to a packed state, remembered.
//
// Such a step is computed on the tree of the configuration. But what it makes of the tree depends on what moves and perhaps
// on what is in a few other slots (TreeBuilder::looked_at); all other slots are still there afterwards, maybe somewhere else.
// So the tree is built once, and from then on the step copies bits to their new places.
#pragma once

#include <bit>

#include "program/layout.hpp"

namespace fairlead {

// Bits of a word that go to a word of the new state: rotated to the left, then masked.
struct WordCopy {
  std::uint64_t mask;
  std::uint16_t from;
  std::uint16_t to;
  std::uint32_t rotation;
};

// What becomes of a packed state: some fields are set, others are copied.
struct PlanDraft {
  std::vector<std::uint64_t> set;  // of each word
  std::vector<WordCopy> copies;
  std::size_t depth = 0;  // of the deepest slot of the new shape
  bool is_error = false;  // the new state is an ERROR configuration

  explicit PlanDraft(std::size_t words) : set(words, 0) {}
  void copy(const Field& from, const Field& to);
};

// Those of one shape, for one arrangement of the layout. A step has a number; which of its plans is the right one follows
// from the fields that it looks at. These are not known before its plans are made: when a plan needs another one, the plans
// of the step so far are forgotten.
class Plans {
 public:
  struct Plan {
    std::uint32_t first_copy;
    std::uint32_t copy_count;
    std::uint32_t first_word;
    std::uint16_t depth;
    bool is_error;
  };

  // The number of a step that is known by some numbers; kNone if it is new and no more `may_be_added`.
  std::uint32_t step_of(std::span<const std::uint32_t> key, bool may_be_added);
  // That of a step that the caller remembers, and that looks at some fields.
  std::uint32_t new_step(std::span<const Field> fields);
  // The plan of a step in a packed state, if there is one; good until something is added.
  [[nodiscard]] const Plan* find(std::uint32_t step, const std::uint64_t* record);
  // Adds what `find` has not found, unless that does not pay.
  void add(std::uint32_t step, const std::uint64_t* record, std::span<const Field> fields, const PlanDraft& draft);
  // Makes the packed state after a step.
  void follow(const Plan& plan, const std::uint64_t* record, std::uint64_t* words) const {
    const std::uint64_t* set = words_.data() + plan.first_word;
    for (std::size_t i = 0; i < stride_; ++i) words[i] = set[i];
    const WordCopy* copy = copies_.data() + plan.first_copy;
    for (const WordCopy* end = copy + plan.copy_count; copy != end; ++copy) {
      words[copy->to] |= std::rotl(record[copy->from], static_cast<int>(copy->rotation)) & copy->mask;
    }
  }
  // Forgets everything, the numbers of steps as well. The states have so many words now.
  void bind(std::size_t words);
  // Remembers nothing any more.
  void give_up();
  [[nodiscard]] bool is_useful() const { return is_useful_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Looked {
    std::uint64_t mask;
    std::uint32_t word;
  };
  struct Step {
    std::uint32_t first_looked = 0;  // a run in looked_: one for each word
    std::uint32_t looked_count = 0;
    std::uint32_t group = 0;  // of its entries, which have the same fields as keys
    std::uint32_t only = kNone;  // its plan, if it looks at nothing
  };
  struct Entry {
    std::uint64_t hash;
    std::uint32_t group;
    std::uint32_t first_key;  // the words that were examined
    std::uint32_t plan;
  };
  // Beyond so many plans it depends on how often they come again.
  static constexpr std::size_t kMany = std::size_t{1} << 12;
  static constexpr std::size_t kMost = std::size_t{1} << 17;

  [[nodiscard]] std::span<const Looked> looked(const Step& step) const {
    return std::span(looked_).subspan(step.first_looked, step.looked_count);
  }
  [[nodiscard]] std::uint64_t hash(const Step& step, const std::uint64_t* record) const {
    std::uint64_t hash = step.group;
    for (const Looked& part : looked(step)) hash = mix(hash ^ (record[part.word] & part.mask), 0xd6e8feb86659fd93ull);
    return hash;
  }
  [[nodiscard]] bool is_same(const Entry& entry, const Step& step, const std::uint64_t* record) const;
  // Makes a step look at some fields as well.
  void look_at(Step& step, std::span<const Field> fields);
  std::uint32_t add_plan(const PlanDraft& draft);
  void grow();

  bool is_useful_ = true;
  std::size_t stride_ = 0;
  std::uint64_t asked_ = 0;
  std::uint32_t groups_ = 0;
  SequenceInterner keys_;
  std::vector<std::uint32_t> step_of_key_;
  std::vector<Step> steps_;
  std::vector<Looked> looked_;
  std::vector<std::uint32_t> table_;  // number in entries_ + 1, or 0; its size is a power of two
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> key_words_;
  std::vector<Plan> plans_;
  std::vector<WordCopy> copies_;
  std::vector<std::uint64_t> words_;
};

}  // namespace fairlead
