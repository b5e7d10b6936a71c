#include "sweep/program/trie.hpp"

#include <algorithm>
#include <utility>

#include "sweep/state/memory.hpp"

namespace sweep {

bool Trie::insert(const std::vector<Event>& path, Code end) { return insert(Place{}, path, end) != unknown; }

Code Trie::insert_after(std::uint32_t node, std::uint32_t key, const std::vector<Event>& rest, Code end) {
    return insert(Place{node, key, false}, rest, end);
}

Code Trie::insert(Place at, const std::vector<Event>& path, Code end) {
    const auto here = [&] { return at.root ? root : child(nodes[at.parent], at.key); };
    const auto set = [&](Code code) { at.root ? void(root = code) : set_child(at.parent, at.key, code); };
    if (nodes.empty()) {  // tables of actions that are not tabulated have one path and no more
        ask_for_room(nodes, path.size());
        nodes.reserve(path.size());
        pool_.reserve(path.size());
    }
    for (const Event& event : path) {
        Code code = here();
        if (code == unknown) {
            Node node{};
            node.ask = event.ask;
            node.field = event.field;
            node.argument = event.argument;
            node.threshold = event.threshold;
            code = node_code(static_cast<std::uint32_t>(nodes.size()));
            ask_for_room(nodes, 1);
            nodes.push_back(node);
            set(code);
        } else if (code == disabled || is_leaf(code)) {
            return unknown;
        }
        const Node& node = nodes[index_of(code)];
        if (!event.same_question({node.ask, node.field, node.argument, node.threshold})) return unknown;
        if (!event.answered) return disabled;
        at = {index_of(code), event.key, false};
    }
    const Code known = here();
    if (known == unknown) set(end);
    if (known == unknown) return end;
    return known == disabled || is_leaf(known) ? known : unknown;
}

Code Trie::find(const std::vector<Event>& path) const {
    Code code = root;
    for (const Event& event : path) {
        if (code == unknown || (code & 1)) return unknown;
        const Node& node = nodes[index_of(code)];
        if (!event.same_question({node.ask, node.field, node.argument, node.threshold})) return unknown;
        if (!event.answered) return disabled;
        code = child(node, event.key);
    }
    return code;
}

bool Trie::ask_whether(const Event& equal, Id value) {
    if (root == unknown || (root & 1)) return false;
    Node& node = nodes[index_of(root)];
    if (node.ask != Ask::value || node.field != equal.field || node.sparse) return false;
    const Code then = child(node, value);
    for (std::uint32_t key = node.base; key < node.base + node.room; ++key) {
        const Code code = child(node, key);
        if (key != value && code != disabled && code != unknown) return false;
    }
    node.ask = Ask::equal;
    node.argument = equal.argument;
    node.threshold = equal.threshold;
    node.first = static_cast<std::uint32_t>(pool_.size());
    node.base = 0;
    node.room = node.children = 2;
    pool_.insert(pool_.end(), {disabled, then});
    return true;
}

void Trie::set_child(std::uint32_t index, std::uint32_t key, Code code) {
    if (!nodes[index].sparse && key - nodes[index].base >= nodes[index].room) widen(nodes[index], key);
    Node& node = nodes[index];
    ++node.children;
    if (node.sparse)
        sparse_[(Word{index} << 32) | key] = code;
    else
        pool_[node.first + (key - node.base)] = code;
}

void Trie::widen(Node& node, std::uint32_t key) {
    const std::uint32_t low = node.room ? std::min(node.base, key) : key;
    const std::uint32_t high = node.room ? std::max(node.base + node.room - 1, key) : key;
    const std::uint64_t span = std::uint64_t{high} - low + 1;
    const std::uint32_t index = static_cast<std::uint32_t>(&node - nodes.data());
    if (span > 64 && span > 16 * (std::uint64_t{node.children} + 1)) {  // too thin to lay out side by side
        for (std::uint32_t i = 0; i < node.room; ++i)
            if (pool_[node.first + i] != unknown) sparse_[(Word{index} << 32) | (node.base + i)] = pool_[node.first + i];
        node.sparse = true;
        return;
    }
    // Room on the side that grew, so that a run of new keys costs constant time each.
    const std::uint32_t extra = static_cast<std::uint32_t>(node.room ? span / 2 : 0);
    const std::uint32_t base = node.room && key < node.base ? low - std::min(low, extra) : low;
    const std::uint32_t room = static_cast<std::uint32_t>(node.room && key > node.base ? span + extra : high - base + 1);
    const std::uint32_t first = static_cast<std::uint32_t>(pool_.size());
    ask_for_room(pool_, room);
    pool_.resize(pool_.size() + room, unknown);
    for (std::uint32_t i = 0; i < node.room; ++i) pool_[first + (node.base - base) + i] = pool_[node.first + i];
    node.first = first;
    node.base = base;
    node.room = room;
}

namespace {

using Direct = Trie::Node::Direct;

/// How bits of the field answer a question about a bag of counts: how often a token is there is the value of its cell.
void refresh_count(Trie::Node& node, const Variable& variable, const Field& field) {
    if (node.ask == Ask::take && !node.threshold && !node.argument) {
        node.direct = Direct::take_count;
        node.word = field.low.word;
        node.shift = field.low.shift;
        node.mask = field.spans() ? 0 : low_bits(field.bits() * field.slots);
        return;
    }
    const bool asks_size = node.ask == Ask::size && variable.cells.size() == 1;
    if (node.ask != Ask::count && node.ask != Ask::at_least && !asks_size) return;
    const std::uint32_t cell = asks_size ? 0 : variable.cells.of(node.argument);
    const bool held = cell < field.slots;
    node.direct = node.ask == Ask::at_least && (field.bits() > 1 || node.threshold > 1) ? Direct::at_least : Direct::value;
    node.word = static_cast<std::uint16_t>(held ? field.word_of(cell) : 0);
    node.shift = static_cast<std::uint8_t>(held ? field.shift_of(cell) : 0);
    node.mask = held ? low_bits(field.bits()) : 0;  // never held: it is there 0 times
}

}  // namespace

void Trie::refresh(const Schema& schema, bool all) {
    for (std::size_t i = all ? 0 : refreshed_; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        node.direct = Direct::no;
        if (node.ask == Ask::choose) continue;
        const Field& field = schema.layout.fields[node.field];
        const Variable& variable = schema.variables[node.field];
        if (field.high.width) continue;
        if (variable.kind == Kind::bag && variable.form == Form::counts) {
            refresh_count(node, variable, field);
            continue;
        }
        if (asks_whether(node)) {
            node.wanted = schema.numbers_of(node.field).find(static_cast<std::int32_t>(node.threshold));
            if (node.wanted == Numbers::no_id || field.spans()) continue;
            node.direct = Direct::equal;
            node.word = field.low.word;
            node.shift = field.low.shift;
            node.mask = low_bits(field.low.width);
            continue;
        }
        if (node.ask != Ask::value && node.ask != Ask::size && node.ask != Ask::take) continue;
        if (variable.form == Form::interned || field.spans() || (node.ask == Ask::take && (node.threshold || node.argument))) continue;
        node.direct = node.ask == Ask::value ? Direct::value : node.ask == Ask::size ? Direct::size : Direct::take;
        node.word = field.low.word;
        node.shift = field.low.shift;
        node.bits = field.low.width;
        node.mask = low_bits(field.low.width * field.slots);
    }
    refreshed_ = nodes.size();
}

std::uint32_t Trie::taken_list(const std::vector<Id>& tokens) {
    const auto found = std::find(taken_.begin(), taken_.end(), tokens);
    if (found != taken_.end()) return static_cast<std::uint32_t>(found - taken_.begin());
    taken_.push_back(tokens);
    return static_cast<std::uint32_t>(taken_.size() - 1);
}

std::uint32_t Trie::sum_list(const Sum& terms) {
    const auto found = std::find_if(sums_.begin(), sums_.end(), [&](const Sum& sum) { return sum.same_terms(terms); });
    const auto index = static_cast<std::uint32_t>(found - sums_.begin());
    if (found == sums_.end()) sums_.push_back(terms);
    return index;
}

std::uint32_t Trie::fold_list(const std::shared_ptr<const Fold>& fold) {
    const auto found = std::find(folds_.begin(), folds_.end(), fold);
    const auto index = static_cast<std::uint32_t>(found - folds_.begin());
    if (found == folds_.end()) folds_.push_back(fold);
    return index;
}

std::size_t Trie::bytes() const {
    return nodes.capacity() * sizeof(Node) + pool_.capacity() * sizeof(Code) + sparse_.size() * 48 + taken_.size() * 32 +
           sums_.size() * sizeof(Sum);
}

void Trie::clear() {
    Trie empty;
    empty.compared = std::move(compared);
    *this = std::move(empty);
}

}  // namespace sweep
