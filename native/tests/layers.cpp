// The order of layers and the values of sums against plain sorted lists, whatever order layers come in.
#include <algorithm>
#include <map>

#include "sweep/progress/linear.hpp"
#include "sweep/progress/ranks.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

/// Layers in their order, as a list; `at` says where in it the next one comes.
struct Listed {
    Ranks ranks;
    std::vector<std::uint32_t> layers;
    std::uint64_t renumbered = 0;

    void add(std::size_t at) {
        std::vector<std::uint64_t> before;
        for (const std::uint32_t layer : layers) before.push_back(ranks[layer]);
        const std::uint32_t layer = ranks.add(at ? std::optional(layers[at - 1]) : std::nullopt);
        check_equal(layer + 1, ranks.size());
        for (std::size_t i = 0; i < layers.size(); ++i) renumbered += ranks[layers[i]] != before[i];
        layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(at), layer);
    }
    void compare() const {
        check(layers.empty() || ranks[layers[0]] > 0);
        for (std::size_t i = 1; i < layers.size(); ++i) check(ranks[layers[i - 1]] < ranks[layers[i]]);
    }
};

void layers_keep_their_order() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        Listed listed;
        std::size_t busy = 0;
        for (int step = 0; step < 600; ++step) {
            if (random.one_in(20)) busy = random.below(listed.layers.size() + 1);
            const std::size_t last = listed.layers.size();
            listed.add(seed % 4 == 0 ? last : seed % 4 == 1 ? 0 : seed % 4 == 2 ? random.below(last + 1) : std::min(busy, last));
            if (random.one_in(3)) {  // a sweep leaves the least layer
                listed.ranks.remove(listed.layers[0]);
                check_equal(listed.ranks[listed.layers[0]], 0u);
                listed.layers.erase(listed.layers.begin());
            }
            listed.compare();
        }
    }
}

/// A layer between two others makes room among its neighbours, and leaves the rest alone.
void a_new_layer_renumbers_few() {
    constexpr std::size_t count = 3000, logarithm = 12;
    for (const int kind : {0, 1, 2}) {  // each before all others, each after the first, in the middle
        Listed listed;
        for (std::size_t i = 0; i < count; ++i) listed.add(kind == 0 ? 0 : kind == 1 ? std::min<std::size_t>(1, i) : i / 2);
        listed.compare();
        check(listed.renumbered < count * logarithm);
    }
}

void after_a_layer_left_comes_the_first() {
    Ranks ranks;
    const std::uint32_t first = ranks.add(std::nullopt), second = ranks.add(first);
    ranks.remove(first);
    const std::uint32_t between = ranks.add(first);
    check(ranks[first] < ranks[between] && ranks[between] < ranks[second]);
}

void values_come_and_go() {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        Random random(seed);
        SumMap known;
        std::map<Sums, std::uint32_t> expected;
        std::uint32_t number = 0;
        for (int step = 0; step < 30'000; ++step) {
            Sums value{};
            for (std::size_t i = 0; i <= seed % 4; ++i) value[i] = static_cast<std::int64_t>(random.below(seed < 3 ? 12 : 300)) - 5;
            const auto found = expected.find(value);
            check_equal(known.find(value), found == expected.end() ? SumMap::missing : found->second);
            if (found == expected.end()) {
                known.insert(value, number);
                expected.emplace(value, number++);
            } else if (random.one_in(2)) {
                known.erase(value);
                expected.erase(found);
            }
        }
        for (const auto& [value, is] : expected) check_equal(known.find(value), is);
    }
}

}  // namespace

int main() {
    return run_all({{"order", layers_keep_their_order},
                    {"few renumbered", a_new_layer_renumbers_few},
                    {"after a layer left", after_a_layer_left_comes_the_first},
                    {"values", values_come_and_go}});
}
