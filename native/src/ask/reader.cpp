#include "sweep/ask/reader.hpp"

#include <algorithm>

namespace sweep {

bool Reader::accepts_for_ever(std::uint32_t stage, std::uint32_t letter) {
    const auto [known, is_new] = accepting_.try_emplace(letter);
    Marks& good = known->second;
    if (is_new) {
        LayerGraph graph;
        graph.clear();
        for (std::uint32_t from = 0; from < edges.size(); ++from) {
            each_next(from, letter, [&](std::uint32_t, std::uint32_t to) { graph.add(to, nothing); });
            graph.end_state(false);
        }
        good.assign(edges.size(), 0);
        each_scc(
            graph, [](std::uint32_t) { return true; }, [](std::uint32_t, std::uint32_t) { return true; },
            [&](std::span<const std::uint32_t> scc) {  // after all that it leads to
                std::uint32_t marks = 0;
                bool loops = scc.size() > 1, leads = false;
                for (const std::uint32_t one : scc) {
                    marks |= marked[one];
                    for (const std::uint32_t to : graph.targets(one)) {
                        loops |= to == one;
                        leads |= good[to] != 0;
                    }
                }
                for (const std::uint32_t one : scc) good[one] = leads || (loops && marks == all_marks);
                return true;
            });
    }
    return good[stage] != 0;
}

}  // namespace sweep
