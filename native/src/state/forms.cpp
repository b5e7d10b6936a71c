#include "sweep/state/forms.hpp"

#include <algorithm>

#include "sweep/state/spanned.hpp"

namespace sweep {

namespace {

constexpr std::uint64_t small_set = 16;  // bits: a set of so few is made early, when few states have to be rewritten for it

void sort_by_token(std::vector<Id>& contents) {
    std::vector<std::pair<Id, Id>> pairs;
    for (std::size_t i = 0; i < contents.size(); i += 2) pairs.emplace_back(contents[i], contents[i + 1]);
    std::sort(pairs.begin(), pairs.end(), std::greater<>());
    contents.clear();
    for (const auto& [token, count] : pairs) contents.insert(contents.end(), {token, count});
}

void read_counts(const Cells& cells, const Field& field, const Word* state, std::vector<Id>& contents) {
    each_count(cells, field, state, [&](Id token, Id count, std::uint32_t) { contents.insert(contents.end(), {token, count}); });
    if (!cells.ascending()) sort_by_token(contents);
}

}  // namespace

std::uint32_t occupied(const Field& field, const Word* state) {
    for (std::size_t i = field.words(); i-- > 0;)
        if (const Word raw = state[field.low.word + i] & field.mask_of(i))
            return static_cast<std::uint32_t>(i * field.per_word) + static_cast<std::uint32_t>(occupied(raw, field.bits()));
    return 0;
}

void read_contents(const Lying& lying, const Word* state, std::vector<Id>& contents) {
    const auto& [kind, form, field, cells, interned] = lying;
    contents.clear();
    if (form == Form::interned) {
        const Contents::Sequence sequence = interned[static_cast<Id>(field.load(state))];
        contents.assign(sequence.begin(), sequence.end());
        return;
    }
    if (form == Form::counts) {
        read_counts(cells, field, state, contents);
        return;
    }
    const bool queue = kind == Kind::queue;
    const auto add = [&contents, queue](Id id) {
        if (queue)
            contents.push_back(id);
        else if (!contents.empty() && contents[contents.size() - 2] == id)
            ++contents.back();
        else
            contents.insert(contents.end(), {id, 1});
    };
    if (field.spans()) {
        Spanned(field).each(state, [&](Id id) {
            add(id);
            return true;
        });
        return;
    }
    const int bits = field.bits();
    for (Word raw = field.load(state); raw; raw >>= bits) add(static_cast<Id>(raw & low_bits(bits)));
}

void write_contents(const Variable& variable, const Field& field, const std::vector<Id>& contents, Word* state) {
    const std::size_t step = variable.kind == Kind::bag ? 2 : 1;
    if (field.spans())
        for (std::size_t i = 0; i < field.words(); ++i) state[field.low.word + i] &= ~field.mask_of(i);
    else
        field.store(state, 0);
    std::uint32_t cell = 0;
    for (std::size_t i = 0; i < contents.size(); i += step) {
        const Id count = step == 2 ? contents[i + 1] : 1;
        if (variable.form == Form::counts)
            field.set_cell(state, variable.cells.of(contents[i]), count);
        else
            for (Id n = 0; n < count; ++n) field.set_cell(state, cell++, contents[i]);
    }
}

Measured measured(Kind kind, const std::vector<Id>& contents) {
    if (kind != Kind::bag) return {contents.size(), 1};
    Measured result;
    for (std::size_t i = 1; i < contents.size(); i += 2) {
        result.size += contents[i];
        result.most = std::max(result.most, contents[i]);
    }
    return result;
}

std::uint64_t bits_in(Form form, const Variable& variable, std::uint64_t slots) {
    if (form == Form::counts) return variable.cells.size() * static_cast<std::uint64_t>(bits_for(std::uint64_t{variable.most} + 1));
    return slots * static_cast<std::uint64_t>(bits_for(variable.values));
}

/// Slots where few tokens of many are held at once; counts where they take no more bits, since a count is one look and one addition.
Form form_for(const Variable& variable, std::uint64_t slots, std::uint64_t expected, std::uint64_t spanned_bits) {
    if (variable.kind == Kind::scalar || variable.form == Form::interned) return variable.form;
    const std::uint64_t listed = bits_in(Form::slots, variable, slots), counted = bits_in(Form::counts, variable, slots);
    const bool countable = variable.kind == Kind::bag && !variable.timed;
    const bool several = slots > 1 || variable.values == 2;  // a bag that never holds two tokens is like a scalar
    const std::uint64_t soon = std::max(bits_in(Form::slots, variable, expected), variable.most > 1 ? 0 : small_set);
    if (countable && several && counted <= 64 && counted <= soon) return Form::counts;
    if (listed <= most_inline_bits) return Form::slots;
    if (countable && counted <= 2 * listed && counted <= std::max<std::uint64_t>(64, spanned_bits)) return Form::counts;
    return listed <= spanned_bits ? Form::slots : Form::interned;
}

}  // namespace sweep
