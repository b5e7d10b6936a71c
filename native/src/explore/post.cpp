#include "sweep/explore/post.hpp"

#include <algorithm>
#include <functional>

namespace sweep {

std::vector<Plain> Plain::all(const Schema& schema) {
    std::vector<Plain> places;
    for (std::uint32_t i = 0; i < schema.variables.size(); ++i) places.emplace_back(schema, i);
    return places;
}

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
    if (places_.empty()) places_ = Plain::all(schema_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].is_plain) {
            put(places_[i].load(state));
            continue;
        }
        if (schema_.variables[i].kind == Kind::scalar) {
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
    if (places_.empty()) places_ = Plain::all(schema_);
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
        if (places_[i].is_plain) {
            state[places_[i].word] |= Word{id(i)} << places_[i].shift;
            continue;
        }
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

}  // namespace sweep
