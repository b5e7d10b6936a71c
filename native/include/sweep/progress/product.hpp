#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sweep/progress/leq_cache.hpp"
#include "sweep/state/layout.hpp"

namespace sweep {

/// One part of a product measure: its values by number, their order, and a total order that extends it.
struct Part {
    bool monotone = false;
    bool total = true;                  // the total order is the order itself
    std::vector<Word> labels;           // per value: the later in the total order the larger
    std::vector<std::uint32_t> sorted;  // values by label
    LeqCache known;                     // where the order is not total
    static constexpr Word most_by_label = 1 << 16;
    std::vector<std::uint32_t> by_label;  // the value with a label, for the lower labels
    Word gap = 1;                         // between labels when they are dealt out anew
    int shift = 0, bits = 0;
    std::size_t word = 0;                // where in a key its label stands
    std::uint32_t field = 0;             // where it is known in advance which value belongs to each one of a variable: that variable,
    std::vector<std::uint32_t> by_id{};  // and the values; else nothing

    Word mask() const { return low_bits(bits) << shift; }
    /// The value whose label stands in a key.
    std::uint32_t value(const Word* key) const {
        const Word label = (key[word] >> shift) & low_bits(bits);
        if (label < by_label.size()) return by_label[label];
        const auto less = [&](std::uint32_t one, Word wanted) { return labels[one] < wanted; };
        return *std::lower_bound(sorted.begin(), sorted.end(), label, less);
    }
};

/// A measure that is compared part by part (paper 2). Its values are told apart and ordered by keys: the labels
/// of all parts, the monotone ones first. The least key is the lexicographically least value, a minimal one; all keys
/// with the same monotone part make a column.
class ProductMeasure {
public:
    std::vector<Part> parts;
    std::uint64_t version = 0;                // rises when keys made before are out of date
    std::function<void()> before_value = {};  // called before a value is added: keys can be read for the last time

    std::size_t key_words() const { return words_; }

    /// A new value of a part, right after `below` in its total order, or first.
    std::uint32_t add_value(std::size_t index, std::optional<std::uint32_t> below) {
        if (before_value) before_value();
        Part& part = parts[index];
        const std::uint32_t value = static_cast<std::uint32_t>(part.labels.size());
        std::size_t at = 0;
        if (below) {
            const auto less = [&](std::uint32_t one, Word label) { return part.labels[one] <= label; };
            at = static_cast<std::size_t>(std::lower_bound(part.sorted.begin(), part.sorted.end(), part.labels[*below], less) -
                                          part.sorted.begin());
        }
        const bool last = at == part.sorted.size();
        const Word low = at ? part.labels[part.sorted[at - 1]] + 1 : 0;
        const Word high = last ? low + part.gap : part.labels[part.sorted[at]];
        part.sorted.insert(part.sorted.begin() + static_cast<std::ptrdiff_t>(at), value);
        part.labels.push_back(last ? low + part.gap - 1 : low + (high - low) / 2);
        const auto note = [&](std::uint32_t one) {
            const Word label = part.labels[one];
            if (label >= Part::most_by_label) return;
            if (label >= part.by_label.size()) part.by_label.resize(label + 1);
            part.by_label[label] = one;
        };
        note(value);
        if (low >= high) {  // no room between its neighbours: deal out the labels anew, further apart each time
            part.gap = part.gap < 4096 ? part.gap * 2 : part.gap;
            for (std::size_t i = 0; i < part.sorted.size(); ++i) part.labels[part.sorted[i]] = (i + 1) * part.gap - 1;
            for (const std::uint32_t one : part.sorted) note(one);
            ++version;
        }
        if (static_cast<int>(std::bit_width(part.labels[part.sorted.back()])) > part.bits) lay_out();
        return value;
    }

    /// The key of a tuple of values.
    void key(const std::uint32_t* values, Word* key) const {
        for (std::size_t i = 0; i < words_; ++i) key[i] = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) key[parts[i].word] |= parts[i].labels[values[i]] << parts[i].shift;
    }
    /// And back: the values that a key stands for.
    void values(const Word* key, std::uint32_t* values) const {
        for (std::size_t i = 0; i < parts.size(); ++i) values[i] = parts[i].value(key);
    }
    /// The same, where those that another key stands for are there already.
    void values(const Word* key, const Word* before, std::uint32_t* values) const {
        for (std::size_t word = 0; word < words_; ++word)
            for (Word different = key[word] ^ before[word]; different;) {
                const std::uint32_t part = part_at_[word * 64 + static_cast<std::size_t>(std::countr_zero(different))];
                values[part] = parts[part].value(key);
                different &= ~parts[part].mask();
            }
    }
    /// How many parts come before one in keys.
    std::size_t position(std::size_t index) const {
        const auto before = [&](std::size_t other) {
            return parts[other].monotone != parts[index].monotone ? parts[other].monotone : other < index;
        };
        std::size_t count = 0;
        for (std::size_t other = 0; other < parts.size(); ++other) count += before(other);
        return count;
    }
    void change(Word* key, std::size_t index, std::uint32_t value) const {
        const Part& part = parts[index];
        key[part.word] = (key[part.word] & ~part.mask()) | part.labels[value] << part.shift;
    }
    bool same_column(const Word* one, const Word* other) const {
        Word different = 0;
        for (std::size_t i = 0; i < words_; ++i) different |= (one[i] ^ other[i]) & column_[i];
        return different == 0;
    }

    /// Give every part its place in keys. What a word has left over is above its parts: who sorts by digits begins with the lowest.
    void lay_out() {
        ++version;
        words_ = 1;
        std::vector<int> free{64};
        for (const bool monotone : {true, false})
            for (Part& part : parts) {
                if (part.monotone != monotone) continue;
                part.bits = part.sorted.empty() ? 1 : std::max(1, static_cast<int>(std::bit_width(part.labels[part.sorted.back()])));
                if (part.bits > free.back()) {
                    ++words_;
                    free.push_back(64);
                }
                part.word = words_ - 1;
                part.shift = free.back() -= part.bits;
            }
        column_.assign(words_, 0);
        part_at_.resize(words_ * 64);
        for (Part& part : parts) {
            part.shift -= free[part.word];
            if (part.monotone) column_[part.word] |= part.mask();
            std::fill_n(part_at_.begin() + static_cast<std::ptrdiff_t>(part.word * 64 + static_cast<std::size_t>(part.shift)), part.bits,
                        static_cast<std::uint32_t>(&part - parts.data()));
        }
    }

private:
    std::size_t words_ = 1;
    std::vector<Word> column_{0};         // which bits of a key name its column
    std::vector<std::uint32_t> part_at_;  // per bit of a key: whose label it belongs to
};

}  // namespace sweep
