// Packed states against the same states taken apart: packing, operations, growth of all kinds.
#include <algorithm>
#include <map>

#include "sweep/state/schema.hpp"
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

Unpacked unpacked(const Model& model, const PlainState& state) {
    Unpacked result(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
        result[i] = state[i].list;
        if (model.variables[i].kind == Kind::bag)
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
        case Op::Do::put: plain.list.push_back(op.id); break;
        case Op::Do::get: plain.list.erase(plain.list.begin()); break;
        case Op::Do::clear:
            plain.bag.clear();
            if (kind == Kind::queue) plain.list.clear();
            break;
    }
}

/// A model, states in both forms, and what engines do around them: grow, absorb, transfer.
class Bench {
public:
    explicit Bench(Random& random) : random_(random) {
        const std::size_t count = 1 + random.below(random.one_in(6) ? 150 : 6);
        for (std::size_t i = 0; i < count; ++i) {
            Variable variable;
            variable.kind = static_cast<Kind>(random.below(3));
            variable.values = variable.kind == Kind::scalar ? 1 : 1 + random.below(2);
            model.variables.push_back(std::move(variable));
            unique_.push_back(random.one_in(4));
        }
        model.lay_out();
        initial_.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            if (model.variables[i].kind == Kind::scalar) initial_[i].list = {0};
        add(initial_);
    }

    /// The id of a new or an old value, as whoever knows the domain hands them out.
    Id id_for(std::size_t field) {
        Variable& variable = model.variables[field];
        const Id least = variable.kind == Kind::scalar ? 0 : 1;
        const std::uint64_t known = variable.values - least;
        if (known == 0 || random_.one_in(known < 40 ? 5 : 60)) {
            model.set_values(field, variable.values + 1);
            return static_cast<Id>(variable.values - 1);
        }
        return least + static_cast<Id>(random_.below(known));
    }

    /// Operations that make sense on a state, and the state after them.
    std::vector<Op> draw(PlainState& state) {
        std::vector<Op> ops;
        for (std::uint64_t n = 1 + random_.below(5); n > 0; --n) {
            const std::size_t field = random_.below(state.size());
            const Kind kind = model.variables[field].kind;
            Plain& plain = state[field];
            Op op = operation(Op::Do::clear, field, 0);
            if (kind == Kind::scalar) {
                op.what = Op::Do::set;
                op.id = id_for(field);
            } else if (random_.one_in(12)) {
                op.what = Op::Do::clear;
            } else if (kind == Kind::bag) {
                const bool removes = !plain.bag.empty() && random_.one_in(2);
                op.what = removes ? Op::Do::remove : Op::Do::add;
                op.id = removes ? std::next(plain.bag.begin(), static_cast<long>(random_.below(plain.bag.size())))->first : id_for(field);
                if (unique_[field] && !removes && plain.bag.count(op.id) && !random_.one_in(300)) continue;
                op.count = removes || unique_[field] || !random_.one_in(6)
                               ? 1
                               : static_cast<Id>(1 + random_.below(random_.one_in(30) ? 10'000 : 4));
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
            while (!model.fits()) grow();
            next = packed_[from];
            const std::uint32_t leaf = model.add_leaf(ops, {});
            if (model.apply(model.leaves[leaf], next.data()) && model.fits()) break;
            check(!model.fits());
        }
        check(model.unpack(next.data()) == unpacked(model, after));
        std::vector<Word> again(static_cast<std::size_t>(model.layout.words));
        model.pack(unpacked(model, after), again.data());
        check(model.fits());
        check(again == next);  // one state, one form
        if (plain_.size() < 40) {
            plain_.push_back(after);
            packed_.push_back(next);
        } else {
            const std::size_t victim = random_.below(plain_.size());
            plain_[victim] = after;
            packed_[victim] = next;
        }
        if (random_.one_in(50)) check_leaves();
    }

    void verify() {
        for (std::size_t i = 0; i < plain_.size(); ++i) {
            const Word* state = packed_[i].data();
            check_equal(state[0] & 1, 1u);
            check(model.unpack(state) == unpacked(model, plain_[i]));
            for (std::uint32_t field = 0; field < plain_[i].size(); ++field) ask(field, plain_[i][field], state);
        }
    }

    Model model;
    int in_place = 0, rewritten = 0, sets = 0, left = 0;  // sets that there were, and that became something else

private:
    void add(const PlainState& state) {
        for (;;) {
            std::vector<Word> packed(static_cast<std::size_t>(model.layout.words));
            model.pack(unpacked(model, state), packed.data());
            if (model.fits()) {
                plain_.push_back(state);
                packed_.push_back(packed);
                return;
            }
            grow();
        }
    }

    /// As the engine does it.
    void grow() {
        if (model.must_inspect())
            for (const auto& state : packed_) model.inspect(state.data());
        const Layout old = model.layout;
        const auto were = model.forms();
        if (model.grow(random_.one_in(2))) {
            ++in_place;
            check_equal(model.layout.words, old.words);
        } else {
            ++rewritten;
            if (model.forms() != were)
                for (const auto& state : packed_) model.absorb(old, were, state.data());
            model.lay_out();
            for (auto& state : packed_) {
                std::vector<Word> moved(static_cast<std::size_t>(model.layout.words));
                model.transfer(old, were, state.data(), moved.data());
                state = std::move(moved);
            }
        }
        for (const Form form : were) sets += form == Form::set;
        for (std::size_t i = 0; i < were.size(); ++i) {
            const Form now = model.variables[i].form;
            left += were[i] == Form::set && now != Form::set;
        }
        model.compile_leaves();
        verify();
    }

    /// Every question about a bag or queue.
    void ask(std::uint32_t field, const Plain& plain, const Word* state) {
        const Kind kind = model.variables[field].kind;
        if (kind == Kind::scalar) return;
        std::uint32_t size = static_cast<std::uint32_t>(plain.list.size());
        for (const auto& [token, count] : plain.bag) size += count;
        check_equal(model.size_of(field, state), size);
        const Id some = static_cast<Id>(random_.below(model.variables[field].values + 2));
        if (kind == Kind::bag && some) {
            const auto found = plain.bag.find(some);
            check_equal(model.count_of(field, some, state), found == plain.bag.end() ? 0u : found->second);
        }
        if (kind == Kind::queue)
            for (const std::uint32_t at : {0u, 1u, size ? size - 1 : 0, size, size + 1, size + 70})
                check_equal(model.element_of(field, at, state), at < size ? plain.list[at] : 0u);
        // Equal contents have equal numbers, and no others do.
        const Id number = model.whole_of(field, state);
        std::vector<Id> held;
        model.contents_of(field, state, held);
        check(model.variables[field].contents[number] == held);
    }

    /// Outcomes that were recorded earlier do the same in every layout.
    void check_leaves() {
        PlainState state = initial_;
        std::vector<Op> ops;
        for (std::size_t i = 0; i < state.size(); ++i)
            if (model.variables[i].kind == Kind::scalar) {
                const Id id = static_cast<Id>(random_.below(model.variables[i].values));
                ops.push_back(operation(Op::Do::set, i, id));
                state[i].list = {id};
            }
        if (kept_.empty() || random_.one_in(3)) {
            kept_.push_back(model.add_leaf(ops, {}));
            expected_.push_back(state);
        }
        std::vector<Word> start(static_cast<std::size_t>(model.layout.words));
        model.pack(unpacked(model, initial_), start.data());
        if (!model.fits()) grow();
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            start.assign(static_cast<std::size_t>(model.layout.words), 0);
            model.pack(unpacked(model, initial_), start.data());
            check(model.apply(model.leaves[kept_[i]], start.data()));
            check(model.unpack(start.data()) == unpacked(model, expected_[i]));
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
    int in_place = 0, rewritten = 0, interned = 0, widest = 0, sets = 0, left = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        Random random(seed);
        Bench bench(random);
        for (int step = 0; step < 250; ++step) bench.step();
        bench.verify();
        in_place += bench.in_place;
        rewritten += bench.rewritten;
        sets += bench.sets;
        left += bench.left;
        for (const Variable& variable : bench.model.variables) interned += variable.form == Form::interned;
        widest = std::max(widest, bench.model.layout.words);
    }
    check(in_place > 50 && rewritten > 200 && interned > 50 && widest > 4 && sets > 200 && left > 20);
}

/// A domain that grows to more than 2^16 values, and bags of many tokens.
void large_domains_and_bags() {
    Model model;
    model.variables.resize(3);
    model.variables[1].kind = Kind::bag;
    model.variables[2].kind = Kind::queue;
    for (Variable& variable : model.variables) variable.values = 70'002;
    model.lay_out();
    Unpacked state{{70'001}, {}, {}};
    for (Id token = 10'000; token > 0; --token) state[1].insert(state[1].end(), {token, 2});
    for (Id element = 1; element <= 10'000; ++element) state[2].push_back(element * 7);
    std::vector<Word> packed;
    for (bool fits = false; !fits;) {
        packed.assign(static_cast<std::size_t>(model.layout.words), 0);
        model.pack(state, packed.data());
        fits = model.fits();
        if (!fits && !model.grow(false)) model.lay_out();
    }
    check(model.unpack(packed.data()) == state);
    check_equal(model.size_of(1, packed.data()), 20'000u);
    check_equal(model.size_of(2, packed.data()), 10'000u);
    check_equal(model.count_of(1, 77, packed.data()), 2u);
    check_equal(model.element_of(2, 9'999, packed.data()), 70'000u);
}

void forgotten_leaves_make_room_for_others() {
    Model model;
    model.variables.resize(2);
    model.variables[0].values = 4;
    model.variables[1].kind = Kind::bag;
    model.variables[1].values = 3;
    model.variables[1].slots = 2;
    model.lay_out();
    const std::uint32_t kept = model.add_leaf({operation(Op::Do::set, 0, 3)}, {});
    const std::size_t first = model.leaves.size();
    for (int round = 0; round < 3; ++round) {
        const std::uint32_t one = model.add_leaf({operation(Op::Do::set, 0, 1), operation(Op::Do::add, 1, 2)}, {});
        const std::uint32_t two = model.add_leaf({operation(Op::Do::set, 0, 2)}, {});
        check_equal(two, one + 1);
        for (const auto& [leaf, expected] : {std::pair{kept, Unpacked{{3}, {}}}, {one, {{1}, {2, 1}}}, {two, {{2}, {}}}}) {
            std::vector<Word> state(static_cast<std::size_t>(model.layout.words));
            model.pack({{0}, {}}, state.data());
            check(model.apply(model.leaves[leaf], state.data()));
            check(model.unpack(state.data()) == expected);
        }
        model.forget_leaves_from(first);
        check_equal(model.leaves.size(), first);
    }
}

}  // namespace

int main() {
    return run_all({{"operations and growth", operations_and_growth},
                    {"large domains and bags", large_domains_and_bags},
                    {"forgotten leaves", forgotten_leaves_make_room_for_others}});
}
