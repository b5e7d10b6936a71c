#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sweep/state/schema.hpp"

namespace sweep {

/// What values mean to every site, whatever ids they have in this one.
struct Meanings {
    std::vector<std::uint32_t> domain_of;    // per variable: fields of an array share a domain
    std::vector<std::vector<Word>> digests;  // per domain, by id: the same for equal values in every site
    std::uint64_t version = 0;               // rises with every value that is met
};

/// What one site has told another: its ids as those of whoever reads.
struct Dictionary {
    static constexpr Id unknown = std::numeric_limits<Id>::max();
    std::vector<std::vector<Id>> ids;  // per domain, by the id of the sender
};

/// A batch that makes no sense: it was cut off, or tells of values that nobody has explained.
struct Garbled : std::runtime_error {
    Garbled() : std::runtime_error("a batch of states cannot be read") {}
};

/// How a state came, or why it is kept.
enum class Coming : std::uint8_t { forward, back, processed, waiting, persistent, root };

/// Where a state was found from: by which edge of which state of which site.
struct Sender {
    std::uint64_t parent = 0, edge = 0;
};

/// States as they travel: numbers of seven bits a byte. A scalar is its id, a bag is pairs of token and count, a queue its elements.
class Writer {
public:
    Writer(const Schema& schema, bool numbered) : schema_(schema), numbered_(numbered) {}
    void write(const Word* state, Coming coming, Sender from, std::vector<std::uint8_t>& bytes);

private:
    static constexpr std::size_t longest = 10;  // bytes of a number
    [[gnu::always_inline]] void put(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::uint8_t>(value | 0x80);
        *at_++ = static_cast<std::uint8_t>(value);
    }
    void reserve(std::size_t numbers);

    const Schema& schema_;
    bool numbered_;
    std::vector<Id> contents_;
    std::vector<std::uint8_t> room_;  // for one state
    std::uint8_t* at_ = nullptr;
};

/// The other direction: one state after the other, with ids of this site.
class BatchReader {
public:
    BatchReader(Schema& schema, const Meanings& meanings, const Dictionary& dictionary, std::span<const std::uint8_t> bytes, bool numbered)
        : schema_(schema), bytes_(bytes), numbered_(numbered) {
        for (const std::uint32_t domain : meanings.domain_of) known_.emplace_back(dictionary.ids.at(domain));
    }

    bool at_end() const { return at_ == bytes_.size(); }
    /// The next state, in the present layout; read again, if that has no room for it, when it has grown.
    void read(Word* state);
    void again() { at_ = begin_; }
    Coming coming() const { return coming_; }
    Sender from() const { return from_; }

private:
    [[gnu::always_inline]] std::uint64_t number() {
        if (at_ < bytes_.size() && bytes_[at_] < 0x80) [[likely]]
            return bytes_[at_++];
        return long_number();
    }
    std::uint64_t long_number();
    [[gnu::always_inline]] Id id(std::uint32_t variable) {
        const std::uint64_t given = number();
        if (given >= known_[variable].size() || known_[variable][given] == Dictionary::unknown) throw Garbled();
        return known_[variable][given];
    }
    void read_contents(std::uint32_t variable, Kind kind);

    Schema& schema_;
    std::vector<std::span<const Id>> known_;  // per variable: ids of this site by those of the sender
    std::span<const std::uint8_t> bytes_;
    bool numbered_;
    std::size_t at_ = 0, begin_ = 0;
    Coming coming_ = Coming::forward;
    Sender from_;
    std::vector<Id> contents_;
    std::vector<std::pair<Id, Id>> tokens_;
};

/// What a site sends to the others: who owns which state, what was sent lately, and the batches that wait to be taken away.
class Post {
public:
    /// `fields` decide who owns a state.
    Post(const Schema& schema, std::uint32_t me, std::uint32_t sites, std::vector<std::uint32_t> fields, bool numbered)
        : me(me), sites(sites), boxes(sites), counts(sites), schema_(schema), fields_(std::move(fields)), writer_(schema, numbered) {}

    const std::uint32_t me, sites;
    Meanings meanings;
    std::vector<std::vector<std::uint8_t>> boxes;  // per site
    std::vector<std::uint64_t> counts;             // of the states in them
    std::uint64_t held_back = 0;                   // states that were sent lately, and therefore not again

    /// The site that a state belongs to: the same one whoever asks.
    std::uint32_t owner(const Word* state);
    /// Whether a state was sent lately. One that was sent by a step forward may be forgotten when a step back leads to it.
    template <int K>
    bool sent_lately(const Word* state, Word hash, bool back) const {
        if (recent_.empty()) return false;
        const int k = K ? K : words_;
        const std::size_t slot = slot_of(hash);
        const Word* kept = recent_.data() + slot * static_cast<std::size_t>(words_);
        for (int i = 0; i < k; ++i)
            if (kept[i] != state[i]) return false;
        return !back || backwards_[slot];
    }
    void prefetch(Word hash) const {
        if (!recent_.empty()) __builtin_prefetch(recent_.data() + slot_of(hash) * static_cast<std::size_t>(words_));
    }
    void send(std::uint32_t to, const Word* state, Word hash, bool back, Sender from);
    /// What was sent lately may have been forgotten since, or lies in words of another layout.
    void forget() { recent_.clear(); }
    std::uint64_t bytes() const {
        std::uint64_t total = 0;
        for (const auto& box : boxes) total += box.size();
        return total;
    }
    std::uint64_t filter_bytes() const { return recent_.capacity() * sizeof(Word) + backwards_.capacity(); }

private:
    static constexpr std::size_t most_recent_bytes = 1 << 22;
    std::size_t slot_of(Word hash) const { return static_cast<std::size_t>(hash >> 20) & (backwards_.size() - 1); }
    void salt();

    const Schema& schema_;
    const std::vector<std::uint32_t> fields_;
    Writer writer_;
    std::vector<Id> contents_;
    std::vector<std::vector<Word>> salted_;  // per field that decides, by id: the digests, each field's its own
    std::vector<Word> recent_;               // one state for each slot; no state begins with 0
    std::vector<std::uint8_t> backwards_;
    int words_ = 0;
    std::uint64_t version_ = ~std::uint64_t{0};  // of the meanings that were salted
};

}  // namespace sweep
