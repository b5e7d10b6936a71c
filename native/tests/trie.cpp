// Tries against a plain map from answers to outcomes.
#include <map>

#include "sweep/program/trie.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

/// Questions are fixed by their depth; keys are what varies.
std::vector<Event> path_of(const std::vector<std::uint32_t>& keys) {
    std::vector<Event> path;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Ask asks[] = {Ask::value, Ask::size, Ask::take, Ask::count};
        path.push_back({asks[i % 4], static_cast<std::uint32_t>(i), 0, 0, keys[i]});
    }
    return path;
}

Code follow(const Trie& trie, const std::vector<std::uint32_t>& keys) {
    Code code = trie.root;
    for (const std::uint32_t key : keys) {
        if (code == unknown || (code & 1)) return code;
        code = trie.child(trie.nodes[index_of(code)], key);
    }
    return code;
}

template <class Keys>
void play(std::uint64_t seed, int paths, Keys&& draw_key) {
    Random random(seed);
    Trie trie;
    std::map<std::vector<std::uint32_t>, Code> known;
    for (int i = 0; i < paths; ++i) {
        std::vector<std::uint32_t> keys;
        for (int depth = 0; depth < 3; ++depth) keys.push_back(draw_key(random, depth, i));
        const Code end = random.one_in(4) ? disabled : leaf_code(static_cast<std::uint32_t>(i));
        check(trie.insert(path_of(keys), end));
        known.emplace(keys, end);  // the first outcome stays
        if (random.one_in(3)) {
            for (std::uint32_t& key : keys)
                if (random.one_in(2)) key = draw_key(random, 0, i);
            const auto found = known.find(keys);
            check_equal(follow(trie, keys), found == known.end() ? unknown : found->second);
        }
    }
    for (const auto& [keys, end] : known) check_equal(follow(trie, keys), end);
    // Neighbours of known keys are not known unless they were inserted.
    for (const auto& [keys, end] : known)
        for (const std::uint32_t near : {keys[2] + 1, keys[2] - 1}) {
            const std::vector<std::uint32_t> beside{keys[0], keys[1], near};
            const auto found = known.find(beside);
            check_equal(follow(trie, beside), found == known.end() ? unknown : found->second);
        }
    check(trie.bytes() > 0);
    trie.clear();
    check_equal(trie.root, unknown);
}

void dense_keys() {
    play(1, 20'000, [](Random& random, int, int) { return static_cast<std::uint32_t>(random.below(40)); });
    play(2, 20'000, [](Random&, int depth, int i) { return static_cast<std::uint32_t>(depth == 0 ? i : 0); });
    play(3, 20'000, [](Random&, int depth, int i) { return static_cast<std::uint32_t>(depth == 2 ? 100'000 - i : 7); });
}

void sparse_keys() {
    play(4, 8'000,
         [](Random& random, int depth, int) { return static_cast<std::uint32_t>(depth ? random.below(3) : random.below(5'000'000)); });
    play(5, 8'000, [](Random& random, int, int i) {
        return static_cast<std::uint32_t>(random.one_in(5) ? random.below(1u << 31) : static_cast<std::uint32_t>(i) % 50);
    });
    // Some dense, then one far away, then the gap is filled from both ends.
    play(6, 12'000, [](Random&, int depth, int i) {
        if (depth != 1) return 3u;
        return static_cast<std::uint32_t>(i < 100 ? i : i == 100 ? 1'000'000 : i % 2 ? i : 1'000'000 - i);
    });
}

void huge_keys() {
    play(7, 3'000, [](Random& random, int, int) { return static_cast<std::uint32_t>((1u << 31) - random.below(30)); });
    play(8, 3'000, [](Random& random, int, int) { return static_cast<std::uint32_t>(1u << random.below(32)); });
}

void other_questions_are_noticed() {
    Trie trie;
    const Event one{Ask::value, 1, 0, 0, 5}, two{Ask::size, 2, 0, 0, 1};
    check(trie.insert({one, two}, leaf_code(0)));
    check(!trie.insert({two, one}, leaf_code(1)));                      // another first question
    check(!trie.insert({one, {Ask::size, 3, 0, 0, 1}}, leaf_code(1)));  // another variable
    check(!trie.insert({one, {Ask::size, 2, 1, 0, 1}}, leaf_code(1)));  // another argument
    check(!trie.insert({one, {Ask::size, 2, 0, 1, 1}}, leaf_code(1)));  // another threshold
    check(!trie.insert({one}, leaf_code(1)));                           // it ends where it asked before
    check(!trie.insert({one, two, one}, leaf_code(1)));                 // it asks where it ended before
    check(trie.insert({one, {Ask::size, 2, 0, 0, 9}}, disabled));
    check(!trie.insert({one, {Ask::size, 2, 0, 0, 9}, one}, leaf_code(1)));
    check_equal(follow(trie, {5, 1}), leaf_code(0));
    check_equal(follow(trie, {5, 9}), disabled);
    check_equal(follow(trie, {5, 2}), unknown);
    check_equal(follow(trie, {4}), unknown);
}

void a_take_from_an_empty_bag_ends_the_path() {
    Trie trie;
    Event take{Ask::take, 0};
    take.answered = false;
    check(trie.insert({take}, disabled));
    check(trie.root != unknown && !(trie.root & 1));
    check_equal(follow(trie, {1}), unknown);
    check(trie.insert({{Ask::take, 0, 0, 0, 1}}, leaf_code(3)));
    check_equal(follow(trie, {1}), leaf_code(3));
    check(trie.insert({take}, disabled));
    check_equal(follow(trie, {1}), leaf_code(3));
}

void lists_of_taken_tokens() {
    Random random(9);
    Trie trie;
    std::map<std::vector<Id>, std::uint32_t> known{{{}, 0}};
    check_equal(trie.taken_list({}), 0u);
    for (int i = 0; i < 500; ++i) {
        std::vector<Id> tokens;
        for (std::uint64_t n = random.below(4); n > 0; --n) tokens.push_back(static_cast<Id>(1 + random.below(4)));
        const std::uint32_t list = trie.taken_list(tokens);
        const auto [found, is_new] = known.emplace(tokens, list);
        check_equal(found->second, list);
        check(trie.taken(list) == tokens);
    }
}

void nodes_follow_the_layout() {
    Random random(10);
    for (int round = 0; round < 200; ++round) {
        Schema schema;
        const std::size_t scalars = 1 + random.below(20);
        for (std::size_t i = 0; i < scalars; ++i) schema.variables[schema.add(Kind::scalar)].values = 1 + random.below(200);
        schema.lay_out();
        Layout& layout = schema.layout;
        Trie trie;
        for (std::uint32_t field = 0; field < scalars; ++field) {
            std::vector<Event> path;
            for (std::uint32_t i = 0; i <= field; ++i) path.push_back({Ask::value, i, 0, 0, i < field ? 0u : 1u});
            check(trie.insert(path, leaf_code(field)));
            trie.refresh(schema, false);
        }
        for (int step = 0; step < 4; ++step) {
            std::vector<Word> state(static_cast<std::size_t>(layout.words), 0);
            for (Word& word : state) word = random.any();
            for (const Trie::Node& node : trie.nodes) {
                const Field& field = layout.fields[node.field];
                const bool direct = node.direct == Trie::Node::Direct::value;
                check_equal(direct, field.high.width == 0);
                if (direct) check_equal((state[node.word] >> node.shift) & node.mask, field.load(state.data()));
            }
            const std::size_t index = random.below(scalars);
            layout.widen(index, schema.variables[index].values <<= 3);
            trie.refresh(schema, true);
        }
    }
}

}  // namespace

int main() {
    return run_all({{"dense keys", dense_keys},
                    {"sparse keys", sparse_keys},
                    {"huge keys", huge_keys},
                    {"other questions are noticed", other_questions_are_noticed},
                    {"a take from an empty bag", a_take_from_an_empty_bag_ends_the_path},
                    {"lists of taken tokens", lists_of_taken_tokens},
                    {"nodes follow the layout", nodes_follow_the_layout}});
}
