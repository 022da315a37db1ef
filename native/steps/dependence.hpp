// How the edges of processes depend on each other: which do not accord, which can make another one possible.
//
// The lists are found when they are first asked for; while tables are frozen that raises TablesFrozen.
#pragma once

#include <map>

#include "steps/futures.hpp"

namespace fairlead {

using StaticEdges = std::vector<std::uint32_t>;

class Dependence {
 public:
  // The futures must have been followed, and outlive this.
  explicit Dependence(const Futures& futures);

  // How long all lists together can become, about.
  [[nodiscard]] std::size_t most_entries() const;

  // The edges of other processes that do not accord with an edge.
  const StaticEdges& conflicts(std::uint32_t edge);
  // The edges by which a process gets to a node.
  const StaticEdges& into(std::uint32_t node);
  // The edges that can make a test of an edge true, given whether its variable is now too low.
  const StaticEdges& enablers(std::uint32_t edge, std::uint32_t test, bool too_low);
  // The edges that can make the other conjuncts of its guard true.
  const StaticEdges& rest_enablers(std::uint32_t edge);
  // The edges of other processes that may be the other half of a handshake.
  const StaticEdges& halves(std::uint32_t edge);
  // The edges under which a slot may offer a shared event.
  const StaticEdges& offers(std::uint32_t event, std::uint32_t slot);

 private:
  struct Lazy {
    bool known = false;
    StaticEdges edges;
  };
  template <typename Find>
  const StaticEdges& found(Lazy& lazy, Find&& find) {
    if (!lazy.known) {
      require_growth();
      find(lazy.edges);
      lazy.known = true;
    }
    return lazy.edges;
  }
  [[nodiscard]] const StaticEdge& edge(std::uint32_t number) const { return futures_.edges()[number]; }
  void find_conflicts(std::uint32_t number, StaticEdges& list) const;
  void find_enablers(const Test& test, bool too_low, StaticEdges& list) const;
  void find_writers(const NumberSet& variables, StaticEdges& list) const;

  const Futures& futures_;
  std::vector<StaticEdges> writers_;  // by variable
  std::vector<StaticEdges> users_;  // that look at it or change it
  std::vector<std::uint8_t> adds_;  // by variable: whether some edge adds to it
  std::vector<Lazy> conflicts_;
  std::vector<Lazy> into_;
  std::vector<Lazy> rests_;
  std::vector<Lazy> halves_;
  std::vector<std::vector<std::uint32_t>> tests_;  // of each edge, by number
  std::vector<std::pair<Lazy, Lazy>> enablers_;  // of each test: if too low, if too high
  std::vector<Test> all_tests_;
  std::vector<std::map<std::uint32_t, StaticEdges>> offers_;  // by event, then by slot
  StaticEdges nobody_;
};

}  // namespace fairlead
