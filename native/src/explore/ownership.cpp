#include "sweep/explore/ownership.hpp"

#include <bit>

namespace sweep {

namespace {

constexpr Word first_salt = 0x9E3779B97F4A7C15ull, second_salt = 0xD1B54A32D192ED03ull;

}  // namespace

/// Values may have been met since it was last done, and the layout may be another one.
void Ownership::renew() {
    if (version_ != meanings.version) salt();
    if (!laid_out_) find_bits();
}

void Ownership::salt() {
    deciders_.resize(fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const std::vector<Word>& digests = meanings.digests[meanings.domain_of[fields_[i]]];
        std::vector<Word>& salted = deciders_[i].salted;
        salted.resize(digests.size());
        for (std::size_t id = 0; id < digests.size(); ++id) salted[id] = fold(digests[id] ^ first_salt * (i + 1), second_salt);
    }
    version_ = meanings.version;
}

void Ownership::find_bits() {
    const Layout& layout = schema_.layout;
    const auto words = static_cast<std::size_t>(layout.words);
    bits_.assign(words, 0);
    whose_.assign(words * 64, {});
    looks_.assign(fields_.size(), 0);
    for (std::uint32_t i = 0; i < fields_.size(); ++i) {
        const Field& field = layout.fields[fields_[i]];
        Decider& decider = deciders_[i];
        decider.low = Plain(schema_, fields_[i]);
        decider.high = Plain::high_piece(field);
        decider.known.assign(decider.low.is_plain || field.spans() ? 0 : std::size_t{1} << (64 - known_shift), {});
        for (std::size_t word = 0; word < field.words(); ++word) add_bits(i, field.low.word + word, field.mask_of(word));
        if (field.high.width) add_bits(i, field.high.word, low_bits(field.high.width * field.slots) << field.high.shift);
    }
    laid_out_ = true;
}

void Ownership::add_bits(std::uint32_t field, std::size_t word, Word bits) {
    if (!bits) return;
    bits_[word] |= bits;
    for (Word rest = bits; rest; rest &= rest - 1) whose_[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))] = {field, bits};
}

Word Ownership::sum_of_contents(std::size_t field, const Word* state) {
    const std::vector<Word>& salted = deciders_[field].salted;
    const std::uint32_t variable = fields_[field];
    const Kind kind = schema_.variables[variable].kind;
    if (kind == Kind::scalar) return salted[schema_.layout.fields[variable].load(state)];
    const bool bag = kind == Kind::bag;
    schema_.contents_of(variable, state, contents_);
    Word sum = 0;
    for (std::size_t at = 0; at < contents_.size(); at += bag ? 2 : 1)  // a bag has no order that others know
        sum += fold(salted[contents_[at]], second_salt ^ first_salt * (bag ? contents_[at + 1] : at));
    return sum;
}

Word Ownership::sum(const Word* state) {
    Word sum = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) sum += part(i, state);
    return sum;
}

Word Ownership::change(const Word* parent, const Word* state) {
    Word sum = 0;
    ++look_;
    for (std::size_t word = 0; word < bits_.size(); ++word) {
        Word changed = (parent[word] ^ state[word]) & bits_[word];
        while (changed) {
            const Bits& piece = whose_[word * 64 + static_cast<std::size_t>(std::countr_zero(changed))];
            changed &= ~piece.bits;
            if (std::exchange(looks_[piece.field], look_) != look_) sum += part(piece.field, state) - part(piece.field, parent);
        }
    }
    return sum;
}

std::uint32_t Ownership::owner_of(Word sum) const {
    return static_cast<std::uint32_t>(position(fold(sum ^ second_salt, first_salt), sites));
}

}  // namespace sweep
