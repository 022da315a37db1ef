// What a leaf does by itself, or two by a handshake, remembered for each combination of the values that it depends on.
//
// Guards, updates, labels and targets that depend on variables are code. But an edge looks at few of the variables, and
// these have the same values in very many states: the code is run once for each combination, and from then on a step is a
// change of some words of the packed state.
#pragma once

#include "program/layout.hpp"

namespace fairlead {

// What becomes of one word of a packed state.
struct WordChange {
  std::uint64_t kept;
  std::uint64_t set;
  std::uint32_t word;
};

// Adds a value for a field to the changes from `first` on; there is one for each word.
void add_change(std::vector<WordChange>& changes, std::size_t first, const Field& field, std::uint64_t value);

// Steps in the order of the edges.
struct FoundSteps {
  struct Step {
    ActionId action;
    std::uint32_t first_change;
    std::uint32_t change_count;
  };
  std::vector<Step> steps;
  std::vector<WordChange> changes;

  void clear() {
    steps.clear();
    changes.clear();
  }
};

// Of some edges of one local state in one slot, or of two in two. What it has found is for one arrangement of the layout.
class StepMemo {
 public:
  // A run of steps().
  struct Found {
    std::uint32_t first_step;
    std::uint32_t step_count;
  };

  // Edges, by their numbers: of one leaf (then `partner` is kNone), or of one that sends and one that receives.
  struct Edges {
    std::uint32_t edge;
    std::uint32_t partner = kNone;
  };

  // `variables` are all on which it depends what the edges do.
  StepMemo(std::vector<Edges> edges, std::vector<std::size_t> variables)
      : edges_(std::move(edges)), variables_(std::move(variables)) {}

  [[nodiscard]] std::span<const Edges> edges() const { return edges_; }
  [[nodiscard]] const FoundSteps& steps() const { return steps_; }

  // Forgets everything, and looks up where the variables are now.
  void bind(const Layout& layout);
  // What is known for the values in a packed state, if something is.
  [[nodiscard]] const Found* find(const std::uint64_t* record);
  // Remembers the steps in a packed state for which nothing is known, unless that does not pay.
  void add(const std::uint64_t* record, const FoundSteps& found);
  // The same if there is no memory for them.
  void miss() {
    ++missed_;
    if (hardly_pays()) give_up();
  }
  // Remembers nothing any more.
  void give_up();
  // Whether it is worth while to ask.
  [[nodiscard]] bool is_useful() const { return is_useful_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Looked {
    std::uint64_t mask;
    std::uint32_t word;
  };
  static constexpr std::size_t kMostWords = 8;
  // Beyond so many combinations it depends on how often they come again.
  static constexpr std::size_t kMany = std::size_t{1} << 12;
  static constexpr std::size_t kMost = std::size_t{1} << 17;

  [[nodiscard]] std::uint64_t hash(const std::uint64_t* record) const {
    std::uint64_t hash = 0;
    for (const Looked& looked : looked_) hash = mix(hash ^ (record[looked.word] & looked.mask), 0xd6e8feb86659fd93ull);
    return hash;
  }
  [[nodiscard]] bool is_same(std::size_t number, const std::uint64_t* record) const {
    const std::uint64_t* key = keys_.data() + number * looked_.size();
    for (const Looked& looked : looked_) {
      if (*key++ != (record[looked.word] & looked.mask)) return false;
    }
    return true;
  }
  void grow();
  // Hardly anything comes again: asking only takes time, and remembering memory.
  [[nodiscard]] bool hardly_pays() const {
    const std::uint64_t unknown = found_.size() + missed_;
    return unknown >= kMany && asked_ < 4 * unknown;
  }

  std::vector<Edges> edges_;
  std::vector<std::size_t> variables_;
  std::vector<Looked> looked_;
  bool is_useful_ = true;
  std::uint64_t asked_ = 0;
  std::uint64_t missed_ = 0;
  std::vector<std::uint32_t> table_;  // number in found_ + 1, or 0; its size is a power of two
  std::vector<std::uint64_t> keys_;  // the words that were examined, of one after the other
  std::vector<std::uint64_t> hashes_;
  std::vector<Found> found_;
  FoundSteps steps_;
};

}  // namespace fairlead
