#include "seen_values.hpp"

#include <algorithm>

namespace fairlead {

std::vector<SeenValues> seen_values(Atoms& atoms) {
  Graph& graph = atoms.graph();
  std::vector<SeenValues> seen(atoms.count());
  bool any_step = false;
  for (std::uint32_t atom = 0; atom < atoms.count(); ++atom) {
    if (!atoms.is_step(atom)) continue;
    any_step = true;
    seen[atom].is_false = true;  // no step leads into the start
  }
  const auto is_settled = [](const SeenValues& values) { return values.is_true && values.is_false; };
  // states of an explicit graph that were never reached are not expanded
  const bool may_be_unreached = dynamic_cast<const ExplicitGraph*>(&graph) != nullptr;
  std::vector<std::uint64_t> words(atoms.word_count());
  for (StateId state = 0; state < graph.state_count(); ++state) {
    if (may_be_unreached && !graph.is_expanded(state)) continue;
    graph.ticker().tick();
    bool is_news = false;
    atoms.of_state(state, words);
    for (std::uint32_t atom = 0; atom < atoms.count(); ++atom) {
      if (atoms.is_step(atom)) continue;
      bool& known = (words[atom >> 6] >> (atom & 63) & 1) != 0 ? seen[atom].is_true : seen[atom].is_false;
      is_news = is_news || !known;
      known = true;
    }
    if (any_step) {
      const EdgeSpan edges = graph.edges(state);
      for (std::uint32_t i = 0; i < edges.count; ++i) {
        for (const std::uint32_t atom : atoms.of_action(edges.actions[i])) {
          is_news = is_news || !seen[atom].is_true;
          seen[atom].is_true = true;
        }
      }
    }
    if (is_news && std::all_of(seen.begin(), seen.end(), is_settled)) break;
  }
  return seen;
}

}  // namespace fairlead
