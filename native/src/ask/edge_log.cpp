#include "sweep/ask/edge_log.hpp"

#include <cerrno>

namespace sweep {

namespace {

constexpr std::size_t flush_from = 1 << 20;  // bytes

/// Most often a byte is all.
[[gnu::always_inline]] inline std::uint64_t get(const std::uint8_t*& at) {
    std::uint64_t value = *at++;
    if (value < 0x80) [[likely]]
        return value;
    value &= 0x7f;
    for (int shift = 7;; shift += 7) {
        const std::uint8_t byte = *at++;
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (!(byte & 0x80)) return value;
    }
}

}  // namespace

EdgeLog::EdgeLog(const std::string& path, std::uint64_t most_bytes, bool labelled, bool stutters)
    : most_bytes_(most_bytes), labelled_(labelled), stutters_(stutters) {
    if (path.empty()) return;
    file_ = std::fopen(path.c_str(), "w+b");
    if (!file_) error_ = errno;
    std::remove(path.c_str());
}

EdgeLog::~EdgeLog() {
    if (file_) std::fclose(file_);
}

void EdgeLog::begin_layer(States numbers) {
    numbers_ = std::move(numbers);
    done_ = 0;
    last_ = 0;
    begin_ = written_ + buffer_.size();
    edges_ = 0;
}

/// The state's number and its targets' as differences: to the state before, and to the state.
void EdgeLog::end_state() {
    const std::uint32_t number = numbers_[done_++];
    put(number - last_);
    put(targets_.size());
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        const std::int64_t delta = static_cast<std::int64_t>(targets_[i]) - static_cast<std::int64_t>(number);
        put(static_cast<std::uint64_t>(delta) << 1 ^ static_cast<std::uint64_t>(delta >> 63));
        if (labelled_) put(actions_[i]);
    }
    last_ = number;
    edges_ += targets_.size();
    targets_.clear();
    actions_.clear();
    if (buffer_.size() >= flush_from) flush();
}

void EdgeLog::end_layer() {
    const std::uint64_t end = written_ + buffer_.size();
    const auto states = static_cast<std::uint32_t>(done_);
    const std::uint32_t least = done_ ? numbers_.front() : nothing, most = done_ ? numbers_[done_ - 1] : 0;
    layers_.push_back({begin_, end - begin_, states, edges_, least, most});
}

void EdgeLog::flush() {
    if (error_) {
        buffer_.clear();
        return;
    }
    if (written_ + buffer_.size() > most_bytes_) error_ = -1;
    if (!error_ && file_ && std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) error_ = errno ? errno : EIO;
    if (!error_ && !file_) kept_.insert(kept_.end(), buffer_.begin(), buffer_.end());
    written_ += buffer_.size();
    buffer_.clear();
}

/// The states and edges of a part that begins there.
LoggedLayer EdgeLog::decoded(const Part& part, const std::uint8_t* at, States& actions) const {
    if (part.edges >= nothing) throw std::bad_alloc();
    LoggedLayer made;
    made.numbers.resize(part.states);
    made.first.resize(std::size_t{part.states} + 1);
    made.targets.resize(part.edges);
    if (labelled_) actions.resize(part.edges);
    std::uint32_t number = 0, edge = 0;
    for (std::uint32_t state = 0; state < part.states; ++state) {
        made.numbers[state] = number += static_cast<std::uint32_t>(get(at));
        for (std::uint64_t left = get(at); left; --left, ++edge) {
            const std::uint64_t coded = get(at);
            const std::int64_t delta = static_cast<std::int64_t>(coded >> 1) ^ -static_cast<std::int64_t>(coded & 1);
            made.targets[edge] = static_cast<std::uint32_t>(static_cast<std::int64_t>(number) + delta);
            if (labelled_) actions[edge] = static_cast<std::uint32_t>(get(at));
        }
        made.first[state + 1] = edge;
    }
    return made;
}

/// Which states lead to each, by the positions of targets. An edge goes where those before it end.
void EdgeLog::reverse(LoggedLayer& layer, const States& inside) {
    layer.first_before.assign(layer.size() + 2, 0);
    for (const std::uint32_t target : inside)
        if (target != nothing) ++layer.first_before[target + 2];
    for (std::uint32_t state = 2; state < layer.size() + 2; ++state) layer.first_before[state] += layer.first_before[state - 1];
    layer.before.resize(layer.first_before.back());
    for (std::uint32_t state = 0; state < layer.size(); ++state)
        for (std::uint32_t i = layer.first[state]; i < layer.first[state + 1]; ++i)
            if (inside[i] != nothing) layer.before[layer.first_before[inside[i] + 1]++] = state;
    layer.first_before.pop_back();
}

LoggedLayer EdgeLog::read(std::size_t layer, bool with_cycles) {
    flush();
    const Part part = layers_[layer];
    std::vector<std::uint8_t> bytes;
    if (file_ && !error_) {
        bytes.resize(part.size);
        const bool there = std::fflush(file_) == 0 && std::fseek(file_, static_cast<long>(part.begin), SEEK_SET) == 0;
        if (!there || std::fread(bytes.data(), 1, part.size, file_) != part.size) error_ = errno ? errno : EIO;
    }
    if (error_) return {};
    States actions;
    LoggedLayer made = decoded(part, file_ ? bytes.data() : kept_.data() + part.begin, actions);
    States inside(made.targets.size());
    for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = position_in(made.numbers, made.targets[i]);
    reverse(made, inside);
    if (!with_cycles) return made;
    made.graph.labelled = labelled_;
    made.graph.stutters = stutters_;
    made.graph.clear();
    for (std::uint32_t state = 0; state < made.size(); ++state) {
        for (std::uint32_t i = made.first[state]; i < made.first[state + 1]; ++i)
            if (inside[i] != nothing || labelled_) made.graph.add(inside[i], labelled_ ? actions[i] : nothing);
        made.graph.end_state(made.first[state] == made.first[state + 1]);
    }
    return made;
}

LoggedLayer EdgeLog::read_around(std::uint32_t number) {
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        if (number < layers_[layer].least || number > layers_[layer].most) continue;
        LoggedLayer read_back = read(layer, true);
        if (error_ || position_in(read_back.numbers, number) != nothing) return read_back;
    }
    return {};
}

}  // namespace sweep
