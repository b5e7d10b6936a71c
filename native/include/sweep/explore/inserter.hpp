#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "sweep/ask/judge.hpp"
#include "sweep/explore/classes.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

constexpr std::uint32_t look_ups_ahead = 16;  // started before they are needed

/// The states that one parent leads to and that are new, to be taken in the order of their edges. Actions are answered in groups, and
/// what a group knows depends on when it was asked: numbers and traces do not.
template <int K>
class NewStates {
public:
    NewStates(Block& block, Width width) : found_(block.found.data()), block_(block), compared_(K ? K : width.compared) {
        if (block.news.size() < block.candidates) block.news.resize(block.candidates);
        all_ = block.news.data();
    }

    bool empty() const { return count_ == 0; }
    void add(std::uint32_t c, Fate fate) { all_[count_++] = {c, fate}; }
    /// A state that is known already: if by an edge of the same parent, the first of the two counts.
    void meet_again(std::uint32_t c) {
        for (std::uint32_t i = 0; i < count_; ++i)
            if (found_[all_[i].candidate].hash == found_[c].hash && is_before(c, all_[i].candidate) && same(c, all_[i].candidate))
                all_[i].candidate = c;
    }
    /// Visit all of them, the last as such, as long as that says to go on, and forget them; whether it did.
    template <class Visit>
    bool take(Visit&& visit) {
        const auto first = [&](const Block::New& one, const Block::New& other) { return is_before(one.candidate, other.candidate); };
        if (count_ > few) std::sort(all_, all_ + count_, first);
        for (std::uint32_t i = 1; i < count_; ++i)  // in order then, as they mostly are
            for (std::uint32_t j = i; j > 0 && first(all_[j], all_[j - 1]); --j) std::swap(all_[j], all_[j - 1]);
        for (std::uint32_t i = 0; i < count_; ++i)
            if (!visit(all_[i].candidate, all_[i].fate, i + 1 == count_)) return false;
        count_ = 0;
        return true;
    }

private:
    bool is_before(std::uint32_t one, std::uint32_t other) const {
        const Block::Candidate &a = found_[one], &b = found_[other];
        return a.action != b.action ? a.action < b.action : a.ordinal < b.ordinal;
    }
    bool same(std::uint32_t one, std::uint32_t other) const {
        return std::equal(block_.template state<K>(one), block_.template state<K>(one) + compared_, block_.template state<K>(other));
    }

    static constexpr std::uint32_t few = 16;

    const Block::Candidate* found_;
    const Block& block_;
    int compared_;
    Block::New* all_;
    std::uint32_t count_ = 0;
};

/// Finds out where candidates will be looked up, and fetches that, as long as no table moves. Most go to the layer of the one before them:
/// its table is found once.
template <int K, class Store>
class Sight {
public:
    Sight(const Block& block, const Store& store) : block_(block), store_(store) {}
    [[gnu::always_inline]] Word* seek(std::uint32_t c) const { return store_.template seek<K>(block_, c); }

private:
    const Block& block_;
    const Store& store_;
};
template <int K>
    requires(K != 0)
class Sight<K, LayerStore> {
public:
    Sight(const Block& block, const LayerStore& store)
        : found_(block.found.data()), block_(block), store_(store), whole_(store.parts == 1) {}
    [[gnu::always_inline]] Word* seek(std::uint32_t c) {
        const Block::Candidate& found = found_[c];
        const Place place = store_.place_of(found);
        if (place != place_) [[unlikely]] {
            if (!whole_) return store_.template seek<K>(block_, c);  // the hash tells which of several tables it is
            const VisitedTable* const table = store_.part_of(found);
            aim_ = table ? table->aim() : Aim{};
            place_ = place;
        }
        Word* const start = const_cast<Word*>(aim_.slots) + position(found.hash, aim_.capacity) * static_cast<std::uint64_t>(K);
        __builtin_prefetch(start);
        return start;
    }

private:
    const Block::Candidate* found_;
    const Block& block_;
    const LayerStore& store_;
    const bool whole_;
    Place place_ = no_place;
    Aim aim_;
};

/// Looks candidates up, some parents at a time. Where the next ones will be searched is found, and fetched, before those at hand are
/// compared with what lies there. Most are known then, and done with, without a jump for each that nobody could foretell; the others are
/// pending, in order.
template <int K, class Store>
class LookUps {
public:
    LookUps(const Batch& batch, Block& block, const Store& store) : block_(block), store_(store), parents_(batch.count) {
        if (block.starts.size() < block.candidates) {
            block.starts.resize(block.candidates);
            block.pending.resize(block.candidates);
        }
        next_ = following(0);
        fetch(next_.begin);
    }

    /// Parents that come one after the other, and their candidates.
    struct Span {
        std::uint32_t first = 0, last = 0;  // parents; the last is behind them
        std::uint32_t begin = 0, end = 0;   // candidates
    };
    /// The next of them; none when there are no more.
    Span next() {
        if (moves_ != store_.moves()) fetch(next_.begin);  // a table has grown since
        const Span here = next_;
        next_ = following(here.last);
        return here;
    }
    /// Find out which candidates are pending: all of them, or those that do not lie where they are looked up. Where they end. One of
    /// the next is fetched for each of them: many at once would have to wait for each other.
    const std::uint32_t* pending(const Span& here, bool sifts) {
        std::uint32_t* end = block_.pending.data();
        Word** const starts = block_.starts.data();
        const Width width = K ? Width(K) : store_.width();
        const Word* const states = block_.template state<K>(0);
        const std::size_t apart = static_cast<std::size_t>(K ? K : width.words);
        const std::uint32_t last = next_.end;
        std::uint32_t soon = next_.begin;
        Sight<K, Store> sight(block_, store_);
        for (std::uint32_t c = here.begin; c < here.end; ++c) {
            if (soon < last) {
                starts[soon] = sight.seek(soon);
                ++soon;
            }
            *end = c;
            end += !(sifts && starts[c] && VisitedTable::lies_near<K>(starts[c], states + apart * c, width));
        }
        fetch(soon);
        return end;
    }
    [[gnu::always_inline]] Word* start(std::uint32_t c) const {
        return moves_ == store_.moves() ? block_.starts[c] : store_.template seek<K>(block_, c);
    }

private:
    static constexpr std::uint32_t enough = 64;  // candidates

    Span following(std::uint32_t parent) const {
        Span span{parent, parent};
        if (parent == parents_) return span;
        const Block::Parent* const parents = block_.parents.data();
        span.begin = span.end = parents[parent].begin;
        // The successors of late parents lie behind all others.
        while (span.last < parents_ && span.end - span.begin < enough && parents[span.last].begin == span.end)
            span.end = parents[span.last++].end;
        return span;
    }
    void fetch(std::uint32_t c) {
        moves_ = store_.moves();
        Word** const starts = block_.starts.data();
        const std::uint32_t last = next_.end;
        for (Sight<K, Store> sight(block_, store_); c < last; ++c) starts[c] = sight.seek(c);
    }

    Block& block_;
    const Store& store_;
    std::uint32_t parents_;
    std::uint64_t moves_ = 0;
    Span next_;
};

/// Whether candidates of a store may be sifted.
template <class Store>
bool sifts(const Store& store) {
    if constexpr (requires { store.sifts(); })
        return store.sifts();
    else
        return false;
}

/// Counts the edges of a block by action, parent by parent, unless they were counted before: then when it goes, whatever ends it.
class EdgesOfActions {
public:
    EdgesOfActions(const Block& block, std::uint64_t* edges) : block_(block), edges_(edges), later_(block.counted_by_action) {}
    EdgesOfActions(const EdgesOfActions&) = delete;
    EdgesOfActions& operator=(const EdgesOfActions&) = delete;
    ~EdgesOfActions() {
        if (!later_) return;
        if (parents_ == block_.parents.size())
            for (const Block::ActionEdges& one : block_.action_edges) edges_[one.action] += one.edges;
        else
            for (std::uint32_t p = 0; p < parents_; ++p) count_now(p);
    }
    [[gnu::always_inline]] void count(std::uint32_t parent) {
        parents_ = parent + 1;
        if (!later_) count_now(parent);
    }

private:
    [[gnu::always_inline]] void count_now(std::uint32_t parent) {
        block_.each_action(parent, [&](std::uint32_t action) { ++edges_[action]; });
    }

    const Block& block_;
    std::uint64_t* edges_;
    std::uint32_t parents_ = 0;
    bool later_;
};

/// Look the candidates up, parent by parent, in order; store and number those that are new. With a graph, the edges inside the layer
/// are kept as well; they come in order then. A batch that the store breaks off ends with the last parent looked at. False when a state is
/// new and no more may be found. Not inlined: two copies in one caller made the plain one 6 % slower.
template <int K, bool Graph, class Store>
[[gnu::noinline]] bool insert(Batch& batch, Block& block, Store& store, Ledger& ledger, Judge& judge, Classes& classes) {
    const Block::Candidate* const found = block.found.data();
    std::uint64_t* const edges = ledger.edges.data();
    const std::size_t actions = ledger.actions();
    const bool asks = judge.asks_found();
    [[maybe_unused]] const std::uint8_t* const wanted = judge.wanted.data();
    block.fresh.clear();
    block.dead.clear();
    EdgesOfActions edges_of_actions(block, edges);
    NewStates<K> news(block, store.width());
    [[maybe_unused]] const bool compares = classes.keyed();
    const bool bounded = !block.led_outside.empty();
    const auto admit = [&](std::uint32_t p, std::uint32_t c, Fate fate, bool last) {
        if (ledger.full()) return false;
        const std::uint64_t number = ledger.found(batch.number(p), Block::edge(found[c], actions));
        if (asks) block.fresh.push_back({c, number});
        store.template admit<K>(block, c, number, fate, last);
        return true;
    };
    const bool sifted = !Graph && !(K == 0 && compares) && sifts(store);
    LookUps<K, Store> look_ups(batch, block, store);
    for (auto here = look_ups.next(); here.first != here.last; here = look_ups.next()) {
        const std::uint32_t* pending = block.pending.data();
        const std::uint32_t* const none = look_ups.pending(here, sifted);
        for (std::uint32_t p = here.first; p < here.last; ++p) {
            const Block::Parent range = block.parents[p];
            edges_of_actions.count(p);
            while (pending != none && *pending < range.end) {
                const std::uint32_t c = *pending++;
                const Word* slot = nullptr;
                const Fate fate = store.template insert<K>(block, c, look_ups.start(c), slot);
                if constexpr (K == 0)
                    if (compares && fate == Fate::known) classes.compare(slot, block.state(c));
                if constexpr (Graph) {
                    if (judge.log) {
                        const bool here = store.is_here(found[c]), fresh = fate == Fate::fresh;
                        LayerTable& table = store.table(store.place_of(found[c]));
                        const std::uint32_t number =
                            judge.log->template number<K>(table, slot, store.width(), fresh, ledger.counters.states);
                        judge.log->add(number, judge.label(batch, p, block, c));
                        if (fresh && here) judge.log->found_here(number);
                        if (wanted[p] && (here || judge.graph.labelled))
                            judge.graph.add(here ? judge.log->position(number) : nothing, judge.label(batch, p, block, c));
                    } else if (store.is_here(found[c])) {
                        Layer& layer = store.here();
                        std::uint32_t& number = layer.visited.template number<K>(slot, store.width());
                        if (fate == Fate::fresh) number = static_cast<std::uint32_t>(layer.states);
                        if (wanted[p]) judge.graph.add(number, judge.label(batch, p, block, c));
                    } else if (judge.graph.labelled && wanted[p]) {
                        judge.graph.add(nothing, judge.label(batch, p, block, c));
                    }
                    if (fate != Fate::known && !admit(p, c, fate, false)) return false;
                } else if (fate == Fate::fresh || fate == Fate::root) {
                    if (!news.empty() || (pending != none && *pending < range.end))
                        news.add(c, fate);
                    else if (!admit(p, c, fate, true))  // there is no other
                        return false;
                } else if (!news.empty()) {
                    news.meet_again(c);
                }
            }
            if (!news.empty() && !news.take([&](std::uint32_t c, Fate fate, bool last) { return admit(p, c, fate, last); })) return false;
            ++ledger.counters.explored;
            const std::uint32_t its_edges = range.edges();
            ledger.counters.edges += its_edges;
            if (bounded) ledger.counters.outside_edges += block.count_led_outside(p, p + 1);
            if (its_edges == 0) ledger.note_without_successors(block, p);
            if constexpr (Graph)
                if (judge.log) judge.log->end_state();
            if constexpr (Graph) judge.graph.end_state(range.begin == range.end && wanted[p] && !block.is_cut_short(p));
            store.template processed<K>(batch, p);
            if constexpr (K == 0 && std::is_same_v<Store, LayerStore>)
                if (store.breaks_off()) {
                    batch.count = p + 1;
                    return true;
                }
        }
    }
    return true;
}

}  // namespace sweep
