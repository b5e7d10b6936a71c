#include "sweep/explore/post.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace sweep {

namespace {

constexpr Word first_salt = 0x9E3779B97F4A7C15ull, second_salt = 0xD1B54A32D192ED03ull;

}  // namespace

void Writer::reserve(std::size_t numbers) {
    const auto used = static_cast<std::size_t>(at_ - room_.data());
    if (room_.size() < used + numbers * longest) room_.resize(2 * (used + numbers * longest));
    at_ = room_.data() + used;
}

void Writer::write(const Word* state, Coming coming, Sender from, std::vector<std::uint8_t>& bytes) {
    at_ = room_.data();
    reserve(schema_.variables.size() + 3);
    *at_++ = static_cast<std::uint8_t>(coming);
    if (numbered_) {
        put(from.parent);
        put(from.edge);
    }
    for (std::size_t i = 0; i < schema_.variables.size(); ++i) {
        const Kind kind = schema_.variables[i].kind;
        if (kind == Kind::scalar) {
            put(schema_.layout.fields[i].load(state));
            continue;
        }
        schema_.contents_of(static_cast<std::uint32_t>(i), state, contents_);
        reserve(schema_.variables.size() - i + contents_.size() + 1);
        put(contents_.size());
        for (const Id id : contents_) put(id);
    }
    bytes.insert(bytes.end(), room_.data(), at_);
}

std::uint64_t BatchReader::long_number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (at_ == bytes_.size()) throw Garbled();
        const std::uint8_t byte = bytes_[at_++];
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return value;
    }
    throw Garbled();
}

void BatchReader::read(Word* state) {
    begin_ = at_;
    if (at_end() || bytes_[at_] > static_cast<std::uint8_t>(Coming::root)) throw Garbled();
    coming_ = static_cast<Coming>(bytes_[at_++]);
    if (numbered_) from_ = {number(), number()};
    std::fill(state, state + schema_.layout.words, 0);
    state[0] = 1;
    for (std::uint32_t i = 0; i < schema_.variables.size(); ++i) {
        const Kind kind = schema_.variables[i].kind;
        if (kind == Kind::scalar) {
            schema_.layout.fields[i].store(state, id(i));
            continue;
        }
        read_contents(i, kind);
        schema_.hold(i, contents_, state);
    }
}

/// The tokens of a bag come in the order of the sender's ids, and are wanted in that of ours.
void BatchReader::read_contents(std::uint32_t variable, Kind kind) {
    const std::uint64_t size = number();
    if (size > bytes_.size() - at_ || (kind == Kind::bag && size % 2)) throw Garbled();
    contents_.clear();
    if (kind == Kind::queue) {
        for (std::uint64_t i = 0; i < size; ++i) contents_.push_back(id(variable));
        return;
    }
    tokens_.clear();
    for (std::uint64_t i = 0; i < size; i += 2) {
        const Id token = id(variable);
        const std::uint64_t count = number();
        if (count == 0 || count > most_tokens) throw Garbled();
        tokens_.emplace_back(token, static_cast<Id>(count));
    }
    std::sort(tokens_.begin(), tokens_.end(), std::greater<>());
    for (const auto& [token, count] : tokens_) contents_.insert(contents_.end(), {token, count});
}

/// Values may have been met since it was last done.
void Post::salt() {
    salted_.resize(fields_.size());
    for (std::size_t i = 0; i < salted_.size(); ++i) {
        const std::vector<Word>& digests = meanings.digests[meanings.domain_of[fields_[i]]];
        salted_[i].resize(digests.size());
        for (std::size_t id = 0; id < digests.size(); ++id) salted_[i][id] = fold(digests[id] ^ first_salt * (i + 1), second_salt);
    }
    version_ = meanings.version;
}

std::uint32_t Post::owner(const Word* state) {
    if (version_ != meanings.version) salt();
    Word sum = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const Word* const salted = salted_[i].data();
        const Kind kind = schema_.variables[fields_[i]].kind;
        if (kind == Kind::scalar) {
            sum += salted[schema_.layout.fields[fields_[i]].load(state)];
            continue;
        }
        schema_.contents_of(fields_[i], state, contents_);
        const bool bag = kind == Kind::bag;
        for (std::size_t at = 0; at < contents_.size(); at += bag ? 2 : 1)  // a bag has no order that others know
            sum += fold(salted[contents_[at]], second_salt ^ first_salt * (bag ? contents_[at + 1] : at));
    }
    return static_cast<std::uint32_t>(position(fold(sum ^ second_salt, first_salt), sites));
}

void Post::send(std::uint32_t to, const Word* state, Word hash, bool back, Sender from) {
    writer_.write(state, back ? Coming::back : Coming::forward, from, boxes[to]);
    ++counts[to];
    words_ = schema_.layout.words;
    if (recent_.empty()) {
        const std::size_t slots = std::bit_floor(most_recent_bytes / sizeof(Word) / static_cast<std::size_t>(words_) | 1);
        recent_.assign(slots * static_cast<std::size_t>(words_), 0);
        backwards_.assign(slots, 0);
    }
    const std::size_t slot = slot_of(hash);
    std::copy(state, state + words_, recent_.begin() + static_cast<std::ptrdiff_t>(slot * static_cast<std::size_t>(words_)));
    backwards_[slot] = back;
}

}  // namespace sweep
