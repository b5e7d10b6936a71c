#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sweep/explore/ownership.hpp"
#include "sweep/explore/sent.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

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
    /// The layout has changed.
    void lay_out() { places_.clear(); }

private:
    static constexpr std::size_t longest = 10;  // bytes of a number
    [[gnu::always_inline]] void put(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::uint8_t>(value | 0x80);
        *at_++ = static_cast<std::uint8_t>(value);
    }
    void reserve(std::size_t numbers);

    const Schema& schema_;
    bool numbered_;
    std::vector<Plain> places_;  // per variable
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
        places_ = Plain::all(schema);
    }

    bool at_end() const { return at_ == bytes_.size(); }
    /// The next state, in the present layout; read again, if that has no room for it, when it has grown.
    void read(Word* state);
    void again() {
        at_ = begin_;
        places_.clear();
    }
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
    std::vector<Plain> places_;               // per variable
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
        : ownership(schema, me, sites, std::move(fields)), boxes(sites), counts(sites), schema_(schema), writer_(schema, numbered) {}

    Ownership ownership;
    SentStates sent;
    std::vector<std::vector<std::uint8_t>> boxes;  // per site
    std::vector<std::uint64_t> counts;             // of the states in them

    /// The owners of all candidates of a block, and room for those that will be sent beside so many bytes that are stored.
    template <int K>
    void look(const Batch& batch, const Block& block, std::uint64_t stored_bytes) {
        ownership.look<K>(batch, block);
        if (ownership.sites > 1) sent.make_room(stored_bytes / 2, schema_.layout.words);
    }
    void send(std::uint32_t to, const Word* state, Word* pair, bool back, Sender from) {
        writer_.write(state, back ? Coming::back : Coming::forward, from, boxes[to]);
        ++counts[to];
        sent.add(pair, state, back);
    }
    /// The layout has changed.
    void lay_out() {
        ownership.lay_out();
        sent.forget();
        writer_.lay_out();
    }
    std::uint64_t bytes() const {
        std::uint64_t total = 0;
        for (const auto& box : boxes) total += box.size();
        return total;
    }

private:
    const Schema& schema_;
    Writer writer_;
};

}  // namespace sweep
