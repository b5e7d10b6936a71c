// Depth first with a bounded cache (algorithm E; paper 2, section 6). The states on the stack and those in the cache lie in the
// table of layer 0; the queue of layer 1 has the cached ones in the order they were left, and the oldest is replaced.
#include <algorithm>

#include "sweep/explore/engine.hpp"

namespace sweep {

/// Put a state that is not stored on the stack; it is processed next.
template <int K>
void Engine::enter(const Word* state, std::uint64_t parent, std::uint64_t edge) {
    if (settings_.most_states && counters.states == *settings_.most_states) {
        stop_ = Stop::states;
        return;
    }
    const int k = model_.layout.words;
    layers_[0]->visited.template insert<K>(state, hash_words<K>(state, k), k);
    const std::uint64_t number = number_found(parent, edge);
    stack_states_.insert(stack_states_.end(), state, state + k);
    stack_.push_back({number, pending_.size()});
    layers_[0]->unprocessed.push<K>(state, number, k, stride());
    if (watching_) show(state, number, false, 0);
}

/// Note the successors of the newest state that are not stored, the first one last: it is the next to enter.
template <int K>
void Engine::process_newest() {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words);
    const Word* state = layers_[0]->unprocessed.front(1, stride()).first;
    verify_block(state, 1);
    ++counters.explored;
    counters.edges += candidates_;
    fresh_.clear();
    dead_.assign(candidates_ == 0, 0);
    show_block(state);
    for (std::uint32_t c = candidates_; c-- > 0;) {
        const Word* successor = words_.data() + k * c;
        ++edge_counts_[found_[c].action];
        if (layers_[0]->visited.find(successor, found_[c].hash, static_cast<int>(k))) continue;
        pending_.insert(pending_.end(), successor, successor + k);
        pending_.push_back(found_[c].action + std::uint64_t{found_[c].ordinal} * actions.size());
    }
    layers_[0]->unprocessed.pop(1);
}

/// Take the newest state off the stack, into the cache.
template <int K>
void Engine::leave() {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words);
    const int words = static_cast<int>(k);
    StateQueue& cached = layers_[1]->unprocessed;
    const Word* state = stack_states_.data() + stack_states_.size() - k;
    cached.push<K>(state, stack_.back().number, words, stride());
    stack_states_.resize(stack_states_.size() - k);
    stack_.pop_back();
    while (cached.size() > settings_.cache_size) {
        if (counters.at_peak()) count_state_bytes();
        const Word* oldest = cached.front(1, stride()).first;
        const Word hash = hash_words<K>(oldest, words);
        layers_[0]->visited.template erase<K>(oldest, hash, words);
        if (layers_[0]->kept.size()) counters.kept += layers_[0]->kept.template erase<K>(oldest, hash, words);
        cached.pop(1);
        --counters.stored;
        ++counters.evicted;
    }
}

template <int K>
void Engine::search_depth_first() {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words);
    const int words = static_cast<int>(k);
    std::vector<Word> next(k + 1);
    for (std::uint64_t turns = 0; stop_ == Stop::none && model_.layout.words == words; ++turns) {
        if (turns % 64 == 0) look_at_clock();
        if (!model_.fits() || (layers_[0]->unprocessed.size() && !expand_block<K>(0))) {
            grow_layout();
            continue;
        }
        if (stop_ != Stop::none) return;
        if (layers_[0]->unprocessed.size()) process_newest<K>();
        if (stack_.empty()) {  // the next initial state
            finished_ = next_root_ == roots_.size();
            if (finished_) {
                layers_[0]->states = counters.explored;
                leave_layer(0);
                return;
            }
            next.assign(k + 1, 0);
            model_.pack(roots_[next_root_], next.data());
            if (!model_.fits()) continue;
            next[k] = next_root_++;
        } else if (pending_.size() == stack_.back().pending) {
            leave<K>();
            continue;
        } else {
            std::copy(pending_.end() - static_cast<std::ptrdiff_t>(k) - 1, pending_.end(), next.begin());
            pending_.resize(pending_.size() - k - 1);
        }
        if (layers_[0]->visited.find(next.data(), hash_words<K>(next.data(), words), words)) continue;
        enter<K>(next.data(), stack_.empty() ? no_parent : stack_.back().number, next[k]);
    }
}

template void Engine::search_depth_first<0>();
template void Engine::search_depth_first<1>();
template void Engine::search_depth_first<2>();
template void Engine::search_depth_first<3>();
template void Engine::search_depth_first<4>();

}  // namespace sweep
