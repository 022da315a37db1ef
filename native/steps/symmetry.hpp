// Processes that can take each other's place: a state is replaced by one from which it differs only in who is who.
//
// A *number* is the value by which a process is known. Numbers of one kind are values of the same variables and
// parameters, and indices of the same arrays; those of one *block* can be exchanged at will. A *member* is a number
// that is in a block. Python has shown that exchanging members carries steps over to steps
// (docs/explanation/reduction.md); here it does not matter why.
#pragma once

#include "steps/successors.hpp"

namespace fairlead {

// Places, one for each tuple of members of some blocks: slots of shared variables, or of local states. They are listed
// row by row; kNone where there is no place for a tuple. Without blocks there is one place, which never moves.
struct PlaceFamily {
  std::vector<std::uint32_t> blocks;
  std::vector<std::uint32_t> places;
  std::uint32_t holds = kNone;  // of variables: the kind of the numbers that are their values, if any
};

struct NumberKind {
  std::int32_t low = 0;
  std::vector<std::uint32_t> members;  // of low, low + 1, …; kNone for a number that is in no block

  [[nodiscard]] std::uint32_t member(std::int32_t number) const {
    const std::int64_t at = std::int64_t{number} - low;
    return at >= 0 && at < static_cast<std::int64_t>(members.size()) ? members[static_cast<std::size_t>(at)] : kNone;
  }
};

// What can be exchanged in states of one shape.
struct Symmetry {
  struct Block {
    std::uint32_t first;  // its members are first, first + 1, …
    std::uint32_t count;
  };

  ShapeId shape = 0;
  std::vector<NumberKind> kinds;
  std::vector<Block> blocks;
  std::vector<std::int32_t> numbers;  // of members
  std::vector<PlaceFamily> variables;
  std::vector<PlaceFamily> leaves;
  // by position: the kind of each parameter, kNone if it is no number; beyond the end, none is
  std::vector<std::vector<std::uint32_t>> parameters;

  // Adds a kind of numbers with its blocks.
  void add_kind(const std::vector<std::vector<std::int32_t>>& own);
  [[nodiscard]] std::uint32_t parameter_kind(std::uint32_t position, std::size_t parameter) const {
    if (position >= parameters.size() || parameter >= parameters[position].size()) return kNone;
    return parameters[position][parameter];
  }
};

// Chooses representatives. What it chooses depends on the state alone, so all threads choose the same. Members are put in
// the order of what can be told about them without their numbers: members that nothing distinguishes stay in their order,
// so some states that differ only in who is who may have different representatives.
class Representatives {
 public:
  Representatives(Network& network, const Layout& layout, const Symmetry& symmetry)
      : network_(network), layout_(layout), symmetry_(symmetry) {}

  // Replaces packed states; false if a representative does not fit (see misfit()).
  bool replace(std::span<std::uint64_t> words, std::size_t stride);
  [[nodiscard]] const Misfit& misfit() const { return misfit_; }

  // Whether members can be exchanged in a state.
  [[nodiscard]] bool applies_to(const Unpacked& state) const;
  // Where each member goes when a state is replaced by its representative.
  const std::vector<std::uint32_t>& exchange(const Unpacked& state);

 private:
  // What a place tells about the members that have to do with it.
  struct Fact {
    std::uint64_t what;     // without the members
    std::uint32_t first;    // of its members in involved_
    std::uint32_t count;
  };

  bool replace(std::uint64_t* words);
  void gather(const Unpacked& state);
  void refine();
  void order();
  void apply(const Unpacked& before, Unpacked& after);
  [[nodiscard]] std::int32_t renamed(std::uint32_t kind, std::int32_t number) const;
  LocalId renamed(LocalId local);
  // Calls `visit(place, members)` for each place of a family.
  template <typename Visit>
  void for_each_place(const PlaceFamily& family, Visit&& visit);
  void involve(std::uint32_t kind, std::int32_t number, std::uint64_t& what);

  Network& network_;
  const Layout& layout_;
  const Symmetry& symmetry_;
  Misfit misfit_;
  Unpacked before_;
  Unpacked after_;
  std::vector<Fact> facts_;
  std::vector<std::uint32_t> involved_;
  std::vector<std::uint64_t> colours_;  // of members: the same for those that have not been distinguished
  std::vector<std::uint64_t> heard_;
  std::vector<std::uint32_t> to_;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint32_t> tuple_;
  std::vector<std::int32_t> parameters_;
};

}  // namespace fairlead
