// The shortest fair lasso that an automaton accepts, in a small system that was explored completely.
//
// What counts is the length of stem and loop in the system. One loop of the system may take the automaton round several
// times before its states repeat, so that lassos of the product would be too long. Instead, of a path that may become a loop
// we remember which states of the automaton it leads to from which, with the marks on the way (its *profile*), and what
// fairness wants to know of it. Paths of one length after the other are tried from each state; of those that end in the same
// state, with the same profile and the same to say about fairness, one is enough. That is a shortest one, so the
// first loop that is fair and accepted after one of the stems is the best from there.
#pragma once

#include <optional>

#include "search/lasso.hpp"

namespace fairlead {

class ShortestLasso {
 public:
  // Looks at no more than `most_work` paths; with more there is no answer.
  ShortestLasso(Product& product, Fairness fairness, std::size_t most_work);

  // The shortest lasso, if it has less than `below` steps.
  std::optional<Lasso> find(std::size_t below);
  // Whether all were examined, so that there is none shorter.
  [[nodiscard]] bool is_complete() const { return !gave_up_; }

 private:
  using Words = std::vector<std::uint32_t>;
  using Id = std::uint32_t;

  // A path from an initial state: where it ends, and in which states the automaton may be then.
  struct Stem {
    StateId state;
    Id automaton_states;
    std::uint32_t before;
    ActionId action;
    std::uint32_t length;
  };
  // A path from the state where a loop is to begin. Its number is that of (state, profile, seen).
  struct Path {
    StateId state;
    Id profile;
    Id seen;  // what fairness wants to know
    std::uint32_t before;
    ActionId action;
    std::uint32_t length;
  };
  // What is to be known of a subject of a demand: from bit `first` on.
  struct Subjects {
    std::vector<std::uint32_t> bits;  // per subject: the first of its bits, or kNone
    std::vector<std::uint32_t> used;
  };

  void number_bits();
  void find_stems(std::size_t below);
  void find_predecessors();
  [[nodiscard]] std::vector<std::uint32_t> distances_to(StateId goal, std::size_t below) const;
  std::optional<Lasso> find_from(StateId start, std::span<const std::uint32_t> stems, std::size_t below);
  void begin_paths(StateId start);
  bool extend(std::uint32_t number, std::size_t edge);
  // The steps from a state: one without transitions has one, idling.
  [[nodiscard]] std::size_t step_count(StateId state);
  [[nodiscard]] ProductStep step(StateId state, std::size_t edge);
  [[nodiscard]] const Words& relation(StateId state, std::size_t edge);
  Id after(Id profile, StateId state, std::size_t edge);
  Id automaton_after(Id states, StateId state, std::size_t edge);

  void see_state(Words& seen, StateId state);
  void see_step(Words& seen, StateId state, std::size_t edge, const ProductStep& step);
  bool is_fair(std::span<const std::uint32_t> seen);
  bool is_accepted(Id automaton_states, Id profile);
  [[nodiscard]] Lasso lasso(std::uint32_t stem, std::uint32_t path) const;
  bool work();

  static void set(Words& words, std::size_t bit) { words[bit / 32] |= 1u << bit % 32; }
  static bool has(std::span<const std::uint32_t> words, std::size_t bit) {
    return (words[bit / 32] >> bit % 32 & 1) != 0;
  }

  Product& product_;
  Fairness fairness_;
  std::size_t left_;
  bool gave_up_ = false;
  std::vector<Subjects> subjects_;  // per demand
  std::vector<std::uint32_t> edge_bits_;  // strong global fairness: per state the bit of its first transition
  std::size_t mark_bits_ = 0;  // the first bit of the marks of the condition
  std::size_t bits_ = 0;
  std::vector<Stem> stems_;
  std::vector<Path> paths_;
  std::vector<std::vector<StateId>> predecessors_;
  SequenceInterner met_;  // state, profile and what was seen of paths
  SequenceInterner sets_;  // of states of the automaton
  SequenceInterner profiles_;  // from, to, marks in two words; sorted
  SequenceInterner seen_;
  std::vector<std::vector<Words>> relations_;  // per state and edge, like profiles
};

}  // namespace fairlead
