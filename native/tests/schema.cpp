// Packed states against the same states taken apart: packing, operations, growth of all kinds.
#include <algorithm>
#include <map>

#include "sweep/program/outcomes.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

/// One variable, unpacked and easy to change: a scalar or queue is a list, a bag a map from token to count.
struct Plain {
    std::vector<Id> list;
    std::map<Id, Id, std::greater<>> bag;
};
using PlainState = std::vector<Plain>;

Unpacked unpacked(const Schema& schema, const PlainState& state) {
    Unpacked result(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
        result[i] = state[i].list;
        if (schema.variables[i].kind == Kind::bag)
            for (const auto& [token, count] : state[i].bag) result[i].insert(result[i].end(), {token, count});
    }
    return result;
}

Op operation(Op::Do what, std::size_t field, Id id) {
    Op op{};
    op.what = what;
    op.field = static_cast<std::uint32_t>(field);
    op.id = id;
    return op;
}

void perform(Kind kind, const Op& op, Plain& plain) {
    switch (op.what) {
        case Op::Do::set: plain.list = {op.id}; break;
        case Op::Do::add: plain.bag[op.id] += op.count; break;
        case Op::Do::remove:
            if ((plain.bag[op.id] -= op.count) == 0) plain.bag.erase(op.id);
            break;
        case Op::Do::include: plain.bag[op.id] = 1; break;
        case Op::Do::exclude: plain.bag.erase(op.id); break;
        case Op::Do::put: plain.list.push_back(op.id); break;
        case Op::Do::get: plain.list.erase(plain.list.begin()); break;
        case Op::Do::shift: break;  // of numbers: see their own test
        case Op::Do::clear:
            plain.bag.clear();
            if (kind == Kind::queue) plain.list.clear();
            break;
    }
}

/// A schema, states in both forms, and what engines do around them: grow, absorb, transfer.
class Bench {
public:
    explicit Bench(Random& random) : random_(random) {
        const std::size_t count = 1 + random.below(random.one_in(6) ? 150 : 6);
        for (std::size_t i = 0; i < count; ++i) {
            Variable& variable = schema.variables[schema.add(static_cast<Kind>(random.below(3)))];
            variable.values = variable.kind == Kind::scalar ? 1 : 1 + random.below(2);
            if (random.one_in(3)) variable.capacity = 1 + random.below(20);  // what is wished for, no more: it may be exceeded
            unique_.push_back(random.one_in(4));
            variable.is_set = unique_.back() && variable.kind == Kind::bag && random.one_in(2);
        }
        schema.lay_out();
        initial_.resize(count);
        for (std::size_t i = 0; i < count; ++i) fill(i, random.one_in(4) ? random.below(random.one_in(2) ? 300 : 3000) : 0);
        add(initial_);
    }

    /// The id of a new or an old value, as whoever knows the domain hands them out.
    Id id_for(std::size_t field) {
        Variable& variable = schema.variables[field];
        const Id least = variable.kind == Kind::scalar ? 0 : 1;
        const std::uint64_t known = variable.values - least;
        if (known == 0 || random_.one_in(known < 40 ? 5 : 60)) {
            schema.set_values(field, variable.values + 1);
            return static_cast<Id>(variable.values - 1);
        }
        return least + static_cast<Id>(random_.below(known));
    }

    /// Operations that make sense on a state, and the state after them.
    std::vector<Op> draw(PlainState& state) {
        std::vector<Op> ops;
        for (std::uint64_t n = 1 + random_.below(5); n > 0; --n) {
            const std::size_t field = random_.below(state.size());
            const Kind kind = schema.variables[field].kind;
            Plain& plain = state[field];
            Op op = operation(Op::Do::clear, field, 0);
            if (kind == Kind::scalar) {
                op.what = Op::Do::set;
                op.id = id_for(field);
            } else if (random_.one_in(12)) {
                op.what = Op::Do::clear;
            } else if (schema.variables[field].is_set && !random_.one_in(4)) {
                op.what = random_.one_in(2) ? Op::Do::include : Op::Do::exclude;
                op.id = id_for(field);
            } else if (schema.variables[field].is_set) {
                if (plain.bag.empty()) continue;
                op.what = Op::Do::remove;
                op.id = plain.bag.begin()->first;
            } else if (kind == Kind::bag) {
                const bool removes = !plain.bag.empty() && random_.one_in(2);
                op.what = removes ? Op::Do::remove : Op::Do::add;
                op.id = removes ? std::next(plain.bag.begin(), static_cast<long>(random_.below(plain.bag.size())))->first : id_for(field);
                if (unique_[field] && !removes && plain.bag.count(op.id) && !random_.one_in(300)) continue;
                const std::uint64_t most = removes ? plain.bag[op.id] : unique_[field] ? 1 : random_.one_in(30) ? 10'000 : 4;
                op.count = random_.one_in(6) ? static_cast<Id>(1 + random_.below(most)) : 1;
            } else {
                op.what = !plain.list.empty() && random_.one_in(2) ? Op::Do::get : Op::Do::put;
                if (op.what == Op::Do::put) op.id = id_for(field);
            }
            perform(kind, op, plain);
            ops.push_back(op);
        }
        return ops;
    }

    void step() {
        const std::size_t from = random_.below(plain_.size());
        PlainState after = plain_[from];
        const std::vector<Op> ops = draw(after);
        std::vector<Word> next;
        for (;;) {
            while (!schema.fits()) grow();
            next = packed_[from];
            const std::uint32_t outcome = outcomes.add(ops, {});
            if (outcomes.apply(outcomes[outcome], next.data(), additions) && schema.fits()) break;
            check(!schema.fits());
        }
        check(schema.unpack(next.data()) == unpacked(schema, after));
        std::vector<Word> again(static_cast<std::size_t>(schema.layout.words));
        schema.pack(unpacked(schema, after), again.data());
        check(schema.fits());
        check(again == next);  // one state, one form
        if (plain_.size() < 40) {
            plain_.push_back(after);
            packed_.push_back(next);
        } else {
            const std::size_t victim = random_.below(plain_.size());
            plain_[victim] = after;
            packed_[victim] = next;
        }
        if (random_.one_in(50)) check_outcomes();
    }

    void verify() {
        for (std::size_t i = 0; i < plain_.size(); ++i) {
            const Word* state = packed_[i].data();
            check_equal(state[0] & 1, 1u);
            check(schema.unpack(state) == unpacked(schema, plain_[i]));
            for (std::uint32_t field = 0; field < plain_[i].size(); ++field) ask(field, plain_[i][field], state);
        }
    }

    Schema schema;
    Outcomes outcomes{schema};
    Additions additions = schema.additions();
    int in_place = 0, rewritten = 0, sets = 0, left = 0;  // sets that there were, and that became something else

private:
    /// What a variable holds at first: a queue or bag may be long, so that it spans words or lies elsewhere.
    void fill(std::size_t index, std::uint64_t size) {
        Variable& variable = schema.variables[index];
        if (variable.kind == Kind::scalar) initial_[index].list = {0};
        if (variable.kind == Kind::scalar || size == 0) return;
        schema.set_values(index, variable.values + 1 + random_.below(200));
        for (std::uint64_t n = 0; n < size; ++n) {
            const Id id = static_cast<Id>(1 + random_.below(variable.values - 1));
            if (variable.kind == Kind::queue)
                initial_[index].list.push_back(id);
            else
                initial_[index].bag[id] = unique_[index] ? 1 : initial_[index].bag[id] + 1;
        }
    }
    void add(const PlainState& state) {
        for (;;) {
            std::vector<Word> packed(static_cast<std::size_t>(schema.layout.words));
            schema.pack(unpacked(schema, state), packed.data());
            if (schema.fits()) {
                plain_.push_back(state);
                packed_.push_back(packed);
                return;
            }
            grow();
        }
    }

    /// States that several workers inspect, each some of them.
    struct InParts {
        const std::vector<std::vector<Word>>& states;

        template <class Visit>
        void operator()(Visit&& visit) const {
            for (const auto& state : states) visit(state.data());
        }
        void inspect(Inspection& seen) const {
            std::vector<Inspection> parts(3, seen);
            for (std::size_t i = 0; i < states.size(); ++i) parts[i % 3].look(states[i].data());
            for (const Inspection& part : parts) seen.add(part);
        }
    };

    /// As the engine does it.
    void grow() {
        const int words = schema.layout.words;
        const auto were = schema.forms();
        if (std::optional<Transfer> transfer = schema.grow(random_.one_in(2), InParts{packed_})) {
            ++rewritten;
            check_equal(transfer->from_words(), words);
            Transfer copy = *transfer;
            bool by_copy = false;
            for (auto& state : packed_) {
                std::vector<Word> moved(static_cast<std::size_t>(schema.layout.words));
                by_copy = !by_copy && transfer->may_share();
                (by_copy ? copy : *transfer)(state.data(), moved.data());
                state = std::move(moved);
            }
        } else {
            ++in_place;
            check_equal(schema.layout.words, words);
        }
        for (const Form form : were) sets += form == Form::counts;
        for (std::size_t i = 0; i < were.size(); ++i) {
            const Form now = schema.variables[i].form;
            left += were[i] == Form::counts && now != Form::counts;
        }
        outcomes.compile();
        verify();
    }

    /// Every question about a bag or queue.
    void ask(std::uint32_t field, const Plain& plain, const Word* state) {
        const Kind kind = schema.variables[field].kind;
        if (kind == Kind::scalar) return;
        std::uint32_t size = static_cast<std::uint32_t>(plain.list.size());
        for (const auto& [token, count] : plain.bag) size += count;
        check_equal(schema.size_of(field, state), size);
        const Id some = static_cast<Id>(random_.below(schema.variables[field].values + 2));
        if (kind == Kind::bag && some) {
            const auto found = plain.bag.find(some);
            check_equal(schema.count_of(field, some, state), found == plain.bag.end() ? 0u : found->second);
        }
        if (kind == Kind::queue)
            for (const std::uint32_t at : {0u, 1u, size ? size - 1 : 0, size, size + 1, size + 70})
                check_equal(schema.element_of(field, at, state), at < size ? plain.list[at] : 0u);
        // Equal contents have equal numbers, and no others do.
        std::vector<Id> held;
        schema.contents_of(field, state, held);
        const Id number = schema.met[field].intern(held);
        check(schema.whole_of(field, state) == number);
        check(std::ranges::equal(schema.met[field][number], held));
    }

    /// Outcomes that were recorded earlier do the same in every layout.
    void check_outcomes() {
        PlainState state = initial_;
        std::vector<Op> ops;
        for (std::size_t i = 0; i < state.size(); ++i)
            if (schema.variables[i].kind == Kind::scalar) {
                const Id id = static_cast<Id>(random_.below(schema.variables[i].values));
                ops.push_back(operation(Op::Do::set, i, id));
                state[i].list = {id};
            }
        if (kept_.empty() || random_.one_in(3)) {
            kept_.push_back(outcomes.add(ops, {}));
            expected_.push_back(state);
        }
        std::vector<Word> start(static_cast<std::size_t>(schema.layout.words));
        schema.pack(unpacked(schema, initial_), start.data());
        if (!schema.fits()) grow();
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            start.assign(static_cast<std::size_t>(schema.layout.words), 0);
            schema.pack(unpacked(schema, initial_), start.data());
            check(outcomes.apply(outcomes[kept_[i]], start.data(), additions));
            check(schema.unpack(start.data()) == unpacked(schema, expected_[i]));
        }
    }

    Random& random_;
    PlainState initial_;
    std::vector<PlainState> plain_;
    std::vector<std::vector<Word>> packed_;
    std::vector<bool> unique_;  // bags that hold each token once, but for a rare exception
    std::vector<std::uint32_t> kept_;
    std::vector<PlainState> expected_;
};

void operations_and_growth() {
    const std::uint64_t drawn = examples(60);
    int in_place = 0, rewritten = 0, interned = 0, widest = 0, sets = 0, left = 0, spanning = 0;
    for (std::uint64_t seed = 0; seed < drawn; ++seed) {
        Random random(seed);
        Bench bench(random);
        for (int step = 0; step < 250; ++step) bench.step();
        bench.verify();
        in_place += bench.in_place;
        rewritten += bench.rewritten;
        sets += bench.sets;
        left += bench.left;
        for (const Variable& variable : bench.schema.variables) interned += variable.form == Form::interned;
        for (const Field& field : bench.schema.layout.fields) spanning += field.spans();
        widest = std::max(widest, bench.schema.layout.words);
    }
    check(in_place > 50 && rewritten > 200 && interned > 50 && widest > 4 && sets > 200 && left > 20 && spanning > 50);
}

/// A domain that grows to more than 2^16 values, and bags of many tokens.
void large_domains_and_bags() {
    Schema schema;
    for (const Kind kind : {Kind::scalar, Kind::bag, Kind::queue}) schema.add(kind);
    for (Variable& variable : schema.variables) variable.values = 70'002;
    schema.lay_out();
    Unpacked state{{70'001}, {}, {}};
    for (Id token = 10'000; token > 0; --token) state[1].insert(state[1].end(), {token, 2});
    for (Id element = 1; element <= 10'000; ++element) state[2].push_back(element * 7);
    std::vector<Word> packed;
    for (bool fits = false; !fits;) {
        packed.assign(static_cast<std::size_t>(schema.layout.words), 0);
        schema.pack(state, packed.data());
        fits = schema.fits();
        if (!fits) schema.grow(false, [](auto&&) {});
    }
    check(schema.unpack(packed.data()) == state);
    check_equal(schema.size_of(1, packed.data()), 20'000u);
    check_equal(schema.size_of(2, packed.data()), 10'000u);
    check_equal(schema.count_of(1, 77, packed.data()), 2u);
    check_equal(schema.element_of(2, 9'999, packed.data()), 70'000u);
}

/// Spare slots that are in use stay when another variable makes a new layout; those that are not may go.
void spare_slots_in_use() {
    Schema schema;
    for (const Kind kind : {Kind::queue, Kind::queue, Kind::scalar}) schema.add(kind);
    schema.variables[0].values = schema.variables[1].values = 3;
    schema.variables[0].capacity = schema.variables[1].capacity = 12;
    schema.lay_out();
    const Unpacked state{{1, 2, 1, 1, 2}, {2, 2}, {0}};
    std::vector<Word> packed(1), moved;
    schema.pack(state, packed.data());
    check(schema.fits());  // as many slots as were declared
    const auto each = [&](auto&& visit) { visit(packed.data()); };
    schema.set_values(2, 1ull << 45);
    std::optional<Transfer> transfer = schema.grow(false, each);
    check(transfer.has_value());
    moved.resize(static_cast<std::size_t>(schema.layout.words));
    (*transfer)(packed.data(), moved.data());
    check(schema.unpack(moved.data()) == state);
    check_equal(schema.layout.words, 1);
    check_equal(schema.variables[0].slots, 5u);
    check_equal(schema.variables[1].slots, 2u);
}

/// Elements that are told apart by more bits than a queue had get them wherever some are free. In the next layout its bits lie together.
void queues_in_two_pieces() {
    Schema schema;
    schema.add(Kind::queue);
    schema.add(Kind::scalar);
    schema.variables[0].values = 5;
    schema.lay_out();
    const Unpacked state{{4, 1, 2, 2}, {0}};
    std::vector<Word> packed;
    const auto each = [&](auto&& visit) { visit(packed.data()); };
    for (bool fits = false; !fits;) {
        packed.assign(static_cast<std::size_t>(schema.layout.words), 0);
        schema.pack(state, packed.data());
        fits = schema.fits();
        if (!fits) schema.grow(true, [](auto&&) {});  // so that bits are left
    }
    check(!schema.has_bags_in_pieces());
    const auto grown = [&](bool dear) {
        std::optional<Transfer> transfer = schema.grow(dear, each);
        std::vector<Word> moved(static_cast<std::size_t>(schema.layout.words));
        if (transfer) (*transfer)(packed.data(), moved.data());
        if (transfer) packed = moved;
        check(schema.unpack(packed.data()) == state);
        return transfer.has_value();
    };
    schema.set_values(0, std::uint64_t{2} << schema.layout.fields[0].bits());
    check(!grown(true));
    check(schema.has_bags_in_pieces());
    schema.requests.tidy = true;
    check(!schema.fits() && grown(true));
    check(!schema.has_bags_in_pieces() && schema.fits());
}

void forgotten_outcomes_make_room_for_others() {
    Schema schema;
    schema.add(Kind::scalar);
    schema.add(Kind::bag);
    schema.variables[0].values = 4;
    schema.variables[1].values = 3;
    schema.variables[1].cells.add(2);
    schema.lay_out();
    Outcomes outcomes(schema);
    Additions additions = schema.additions();
    const std::uint32_t kept = outcomes.add({operation(Op::Do::set, 0, 3)}, {});
    const std::uint32_t first = outcomes.size();
    for (int round = 0; round < 3; ++round) {
        const std::uint32_t one = outcomes.add({operation(Op::Do::set, 0, 1), operation(Op::Do::add, 1, 2)}, {});
        const std::uint32_t two = outcomes.add({operation(Op::Do::set, 0, 2)}, {});
        check_equal(two, one + 1);
        for (const auto& [outcome, expected] : {std::pair{kept, Unpacked{{3}, {}}}, {one, {{1}, {2, 1}}}, {two, {{2}, {}}}}) {
            std::vector<Word> state(static_cast<std::size_t>(schema.layout.words));
            schema.pack({{0}, {}}, state.data());
            check(outcomes.apply(outcomes[outcome], state.data(), additions));
            check(schema.unpack(state.data()) == expected);
        }
        outcomes.forget_from(first);
        check_equal(outcomes.size(), first);
    }
}

}  // namespace

int main() {
    return run_all({{"operations and growth", operations_and_growth},
                    {"large domains and bags", large_domains_and_bags},
                    {"spare slots in use", spare_slots_in_use},
                    {"queues in two pieces", queues_in_two_pieces},
                    {"forgotten outcomes", forgotten_outcomes_make_room_for_others}});
}
