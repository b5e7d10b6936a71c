// What can be asked of a packed state.
#include "sweep/state/forms.hpp"
#include "sweep/state/schema.hpp"
#include "sweep/state/spanned.hpp"

namespace sweep {

namespace {

/// How often contents have a token: they are sorted, tokens descending.
std::uint32_t count_in(Contents::Sequence sequence, Id token) {
    std::size_t low = 0, high = sequence.size() / 2;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (sequence[2 * middle] > token)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low < sequence.size() && sequence[2 * low] == token ? sequence[2 * low + 1] : 0;
}

}  // namespace

std::uint32_t Schema::size_of(std::uint32_t index, const Word* state) const {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    if (variable.form == Form::slots) {
        if (field.spans()) return occupied(field, state);
        return static_cast<std::uint32_t>(occupied(field.load(state), field.bits()));
    }
    std::uint32_t size = 0;
    if (variable.form == Form::counts) {
        if (field.bits() == 1)
            for (std::size_t i = 0; i < field.words(); ++i)
                size += static_cast<std::uint32_t>(__builtin_popcountll(state[field.low.word + i] & field.mask_of(i)));
        else
            each_count(variable.cells, field, state, [&](Id, Id count, std::uint32_t) { size += count; });
        return size;
    }
    const Contents::Sequence sequence = interned[index][static_cast<Id>(field.load(state))];
    if (variable.kind == Kind::queue) return static_cast<std::uint32_t>(sequence.size());
    for (std::size_t i = 1; i < sequence.size(); i += 2) size += sequence[i];
    return size;
}

void Schema::tokens_of(std::uint32_t index, const Word* state, TokenCounts& held) const {
    held.clear();
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    if (variable.form == Form::interned) {
        const Contents::Sequence sequence = interned[index][static_cast<Id>(field.load(state))];
        for (std::size_t i = 0; i < sequence.size(); i += 2) held.push(sequence[i], sequence[i + 1]);
        return;
    }
    if (variable.form == Form::counts) {
        each_count(variable.cells, field, state, [&](Id token, Id count, std::uint32_t) { held.push(token, count); });
        if (!variable.cells.ascending()) held.sort();
        return;
    }
    if (field.spans()) {
        Id last = 0, count = 0;  // equal tokens lie side by side
        Spanned(field).each(state, [&](Id token) {
            if (token != last && last) held.push(last, std::exchange(count, 0));
            last = token;
            ++count;
            return true;
        });
        if (last) held.push(last, count);
        return;
    }
    const int bits = field.bits();
    Word raw = field.load(state);
    for (Id count = 1; raw; ++count) {  // equal tokens lie side by side
        const Id token = static_cast<Id>(raw & low_bits(bits));
        raw >>= bits;
        if ((raw & low_bits(bits)) == token) continue;
        held.push(token, count);
        count = 0;
    }
}

void Schema::available(std::uint32_t index, const Word* state, TokenCounts& held) const {
    const Variable& variable = variables[index];
    if (!variable.timed) {
        tokens_of(index, state, held);
        return;
    }
    TokenCounts tokens;
    tokens_of(index, state, tokens);
    held.clear();
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (variable.stamps.wait(tokens.token(i)) <= 0) held.add(variable.stamps.kind(tokens.token(i)), tokens.count(i));
}

/// Of several tokens of a kind that are ready the one with the latest stamp leaves, as timed coloured nets have it.
Id Schema::youngest_ready(std::uint32_t index, Id kind, const Word* state) const {
    const Stamps& stamps = variables[index].stamps;
    TokenCounts held;
    tokens_of(index, state, held);
    Id found = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const Id token = held.token(i);
        if (stamps.kind(token) == kind && stamps.wait(token) <= 0 && (!found || stamps.wait(token) > stamps.wait(found))) found = token;
    }
    return found;
}

std::optional<std::int64_t> Schema::next_ready(const Word* state) const {
    std::optional<std::int64_t> least;
    TokenCounts held;
    for (const std::uint32_t bag : timed) {
        tokens_of(bag, state, held);
        for (std::size_t i = 0; i < held.size(); ++i) {
            const std::int64_t wait = variables[bag].stamps.wait(held.token(i));
            if (wait > 0 && (!least || wait < *least)) least = wait;
        }
    }
    return least;
}

std::uint32_t Schema::count_of(std::uint32_t index, Id token, const Word* state) const {
    const Variable& variable = variables[index];
    if (variable.timed) {
        TokenCounts held;
        available(index, state, held);
        for (std::size_t i = 0; i < held.size(); ++i)
            if (held.token(i) == token) return held.count(i);
        return 0;
    }
    const Field& field = layout.fields[index];
    if (variable.form == Form::counts) {
        const std::uint32_t cell = variable.cells.of(token);
        return cell < field.slots ? static_cast<std::uint32_t>(field.cell(state, cell)) : 0;
    }
    if (variable.form == Form::interned) return count_in(interned[index][static_cast<Id>(field.load(state))], token);
    std::uint32_t count = 0;
    if (field.spans()) return Spanned(field).count(state, token);
    const int bits = field.bits();
    for (Word rest = field.load(state); rest; rest >>= bits) count += (rest & low_bits(bits)) == token;
    return count;
}

std::uint32_t Schema::element_of(std::uint32_t index, std::uint32_t position, const Word* state) const {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    if (variable.form == Form::interned) {
        const Contents::Sequence sequence = interned[index][static_cast<Id>(field.load(state))];
        return position < sequence.size() ? sequence[position] : 0;
    }
    return position < field.slots ? static_cast<std::uint32_t>(field.cell(state, position)) : 0;
}

void Schema::contents_of(std::uint32_t index, const Word* state, std::vector<Id>& sequence) const {
    const Variable& variable = variables[index];
    read_contents({variable.kind, variable.form, layout.fields[index], variable.cells, interned[index]}, state, sequence);
}

namespace {

/// Add a class to pairs of class and count, classes descending.
void add_class(std::vector<Id>& part, Id its, bool counts) {
    std::size_t at = 0;
    for (std::size_t end = part.size() / 2; at < end;) {
        const std::size_t middle = (at + end) / 2;
        if (part[2 * middle] > its)
            at = middle + 1;
        else
            end = middle;
    }
    if (2 * at < part.size() && part[2 * at] == its)
        part[2 * at + 1] += counts;
    else
        part.insert(part.begin() + static_cast<std::ptrdiff_t>(2 * at), {its, 1});
}

}  // namespace

/// Most queues are short: their elements are taken from the state one by one.
Id Schema::part_of_queue(const Sieve& sieve, const Word* state, std::vector<Id>& part) const {
    part.clear();
    Id other = Sieve::passed_over;
    const auto add = [&](Id token) {
        const Id its = sieve.class_of(token);
        if (its == Sieve::unasked || its == Sieve::unfit)
            other = its;
        else if (its != Sieve::passed_over && sieve.in_order)
            part.insert(part.end(), {its, 1});
        else if (its != Sieve::passed_over)
            add_class(part, its, sieve.counts);
        return other == Sieve::passed_over;
    };
    const Field& field = layout.fields[sieve.field];
    if (variables[sieve.field].form == Form::slots && !field.spans()) {
        const int bits = field.bits();
        for (Word rest = field.load(state); rest && add(static_cast<Id>(rest & low_bits(bits)));) rest >>= bits;
        return other;
    }
    thread_local std::vector<Id> waiting;
    contents_of(sieve.field, state, waiting);
    std::all_of(waiting.begin(), waiting.end(), add);
    return other;
}

Id Schema::part_of(const Sieve& sieve, const Word* state, std::vector<Id>& part) const {
    if (variables[sieve.field].kind == Kind::queue) return part_of_queue(sieve, state, part);
    TokenCounts held, classes;
    tokens_of(sieve.field, state, held);
    bool descending = true;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const Id its = sieve.class_of(held.token(i));
        if (its == Sieve::unasked || its == Sieve::unfit) return its;
        if (its == Sieve::passed_over) continue;
        descending &= sieve.in_order || !classes.size() || its < classes.token(classes.size() - 1);
        if (descending)
            classes.push(its, held.count(i));
        else
            classes.add(its, held.count(i));
    }
    if (!descending) classes.sort();
    part.clear();
    for (std::size_t i = 0; i < classes.size(); ++i) part.insert(part.end(), {classes.token(i), sieve.counts ? classes.count(i) : 1});
    return Sieve::passed_over;
}

std::optional<bool> Schema::holds(const Sieve& sieve, const Word* state) const {
    bool all_asked = true;
    for (std::uint32_t position = 0;; ++position) {
        const Id token = element_of(sieve.field, position, state);
        if (token == 0) return all_asked ? std::optional(false) : std::nullopt;
        if (sieve.passes(token)) return true;
        all_asked &= sieve.class_of(token) != Sieve::unasked;
    }
}

std::optional<Id> Schema::whole_of(std::uint32_t index, const Word* state) const {
    if (variables[index].form == Form::interned) return met[index].find(interned[index][static_cast<Id>(layout.fields[index].load(state))]);
    std::vector<Id> sequence;
    contents_of(index, state, sequence);
    return met[index].find(sequence);
}

}  // namespace sweep
