#include "sweep/ask/edge_log.hpp"

#include <cerrno>
#include <system_error>

namespace sweep {

namespace {

constexpr std::size_t flush_from = 1 << 20;  // bytes

std::uint64_t get(const std::uint8_t*& at) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const std::uint8_t byte = *at++;
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (!(byte & 0x80)) return value;
    }
}

}  // namespace

EdgeLog::EdgeLog(const std::string& path, std::uint64_t most_bytes, bool labelled) : most_bytes_(most_bytes), labelled_(labelled) {
    if (path.empty()) return;
    file_ = std::fopen(path.c_str(), "w+b");
    if (!file_) throw std::system_error(errno, std::generic_category(), path);
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
    targets_.clear();
    actions_.clear();
    if (buffer_.size() >= flush_from) flush();
}

void EdgeLog::end_layer() {
    const std::uint64_t end = written_ + buffer_.size();
    layers_.push_back({begin_, end - begin_, static_cast<std::uint32_t>(done_)});
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

LoggedLayer EdgeLog::read(std::size_t layer) {
    flush();
    LoggedLayer made;
    const Part part = layers_[layer];
    std::vector<std::uint8_t> bytes;
    if (file_ && !error_) {
        bytes.resize(part.size);
        const bool there = std::fflush(file_) == 0 && std::fseek(file_, static_cast<long>(part.begin), SEEK_SET) == 0;
        if (!there || std::fread(bytes.data(), 1, part.size, file_) != part.size) error_ = errno ? errno : EIO;
    }
    if (error_) return made;
    const std::uint8_t* at = file_ ? bytes.data() : kept_.data() + part.begin;
    States actions;
    std::uint32_t number = 0;
    for (std::uint32_t state = 0; state < part.states; ++state) {
        number += static_cast<std::uint32_t>(get(at));
        made.numbers.push_back(number);
        for (std::uint64_t edges = get(at); edges; --edges) {
            const std::uint64_t coded = get(at);
            const std::int64_t delta = static_cast<std::int64_t>(coded >> 1) ^ -static_cast<std::int64_t>(coded & 1);
            made.targets.push_back(static_cast<std::uint32_t>(static_cast<std::int64_t>(number) + delta));
            if (labelled_) actions.push_back(static_cast<std::uint32_t>(get(at)));
        }
        made.first.push_back(static_cast<std::uint32_t>(made.targets.size()));
    }
    made.graph.labelled = labelled_;
    made.graph.clear();
    made.first_before.assign(made.size() + 1, 0);
    States inside(made.targets.size());
    for (std::uint32_t state = 0; state < made.size(); ++state) {
        for (std::uint32_t i = made.first[state]; i < made.first[state + 1]; ++i) {
            inside[i] = position_in(made.numbers, made.targets[i]);
            if (inside[i] != nothing) ++made.first_before[inside[i] + 1];
            if (inside[i] != nothing || labelled_) made.graph.add(inside[i], labelled_ ? actions[i] : nothing);
        }
        made.graph.end_state(made.first[state] == made.first[state + 1]);
    }
    for (std::uint32_t state = 0; state < made.size(); ++state) made.first_before[state + 1] += made.first_before[state];
    made.before.resize(made.first_before.back());
    std::vector<std::uint32_t> next(made.first_before.begin(), made.first_before.end() - 1);
    for (std::uint32_t state = 0; state < made.size(); ++state)
        for (std::uint32_t i = made.first[state]; i < made.first[state + 1]; ++i)
            if (inside[i] != nothing) made.before[next[inside[i]]++] = state;
    return made;
}

}  // namespace sweep
