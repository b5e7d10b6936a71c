// Cycles of a layer whose states lie with several sites. Each site notes the states of its own that are open: those about which neither
// they themselves nor a step out of the layer say enough. One site gets all of them, finds their edges again, and looks at the components.
#include <algorithm>
#include <utility>

#include "sweep/explore/crew.hpp"
#include "sweep/explore/site.hpp"

namespace sweep {

/// The open states of a layer, and the others of it that these lead to, numbered.
class Site::OpenLayer {
public:
    explicit OpenLayer(Width width) : width_(width), words_(static_cast<std::size_t>(width.words)) {}

    std::vector<std::uint64_t> origins;  // of the first states, which were told: their sites, and their numbers there

    std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size() / words_); }
    const Word* state(std::uint32_t number) const { return states_.data() + number * words_; }
    /// The number of a state, which it may get now.
    std::uint32_t number(const Word* state, Word hash) {
        const Word* slot = nullptr;
        const bool fresh = table_.insert<0>(state, hash, width_, slot);
        if (!table_.numbered()) table_.keep_numbers();
        std::uint32_t& number = table_.number<0>(slot, width_);
        if (fresh) {
            number = size();
            states_.insert(states_.end(), state, state + words_);
        }
        return number;
    }
    std::uint32_t number(const Word* state) { return number(state, hash_words<0>(state, width_)); }

private:
    Width width_;
    std::size_t words_;
    std::vector<Word> states_;
    VisitedTable table_;
};

/// A state is on no cycle inside the layer if all its edges leave that. One without edges stays where it is, as any may that stutters.
void Site::note_open(const Batch& batch, const Block& block) {
    Judge& judge = exploration_.judge_;
    judge.begin_graph();
    judge.want(batch, block);
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        const Block::Candidate *const begin = block.found.data() + block.parents[p].begin, *const end =
                                                                                               block.found.data() + block.parents[p].end;
        const auto stays = [&](const Block::Candidate& one) { return one.place == batch.place; };
        if (!judge.wanted[p] || (!judge.graph.stutters && begin != end && std::none_of(begin, end, stays))) continue;
        open_writer_.write(batch.state(p), Coming::processed, {batch.number(p), 0}, open);
        ++open_count;
    }
}

Stop Site::decide(const std::vector<Share>& shares) {
    Stop stop = Stop::none;
    const MemoryLimit limit(exploration_.settings_.limits.memory);
    try {
        meet_();
        for (bool done = false; !done;) {
            while (!fit()) {
            }
            OpenLayer layer(store().width());
            done = read(shares, layer) && make_graph(layer);
            if (done) stop = decide_on(layer);
        }
    } catch (const OutOfMemory&) {
        stop = Stop::memory;
    }
    exploration_.judge_.begin_graph();
    return stop == Stop::none ? exploration_.guard_.stop() : stop;
}

void Site::settle(const std::vector<std::uint32_t>& questions) {
    for (const std::uint32_t question : questions) exploration_.questions.all[question].decided = true;
}

/// False if the layout has no room for them.
bool Site::read(const std::vector<Share>& shares, OpenLayer& layer) {
    Schema& schema = exploration_.program_.schema;
    std::vector<Word> state(static_cast<std::size_t>(schema.layout.words));
    for (const Share& share : shares) {
        BatchReader reader(schema, post.ownership.meanings, share.dictionary, share.bytes, exploration_.settings_.parent_file.has_value());
        while (!reader.at_end()) {
            reader.read(state.data());
            if (!schema.fits()) return false;
            layer.number(state.data());
            layer.origins.resize(layer.size(), reader.from().parent | (std::uint64_t{share.sender} + 1) << sender_shift);
        }
    }
    return true;
}

/// As `insert` does it for the states of one process. What open states lead to in the layer is looked at too: it says whether they are
/// settled. False if the layout has no room for that, or if it has to be done once more.
bool Site::make_graph(OpenLayer& layer) {
    Crew& crew = exploration_.crew_;
    Judge& judge = exploration_.judge_;
    judge.begin_graph();
    if (layer.size() == 0) return true;
    const auto words = static_cast<std::size_t>(store().words());
    const Place place = exploration_.layers_->layer_of(layer.state(0));
    std::vector<Word> parents;
    for (std::uint32_t first = 0, count = 0; first < layer.size(); first += count) {
        count = std::min(block_size, layer.size() - first);
        parents.assign(layer.state(first), layer.state(first) + count * words);  // more states come, and these move
        const Batch batch{parents.data(), count, words, place};
        crew.round.begin(batch);
        if (!with_width(crew.width(), [&]<int K>() { return crew.expand<K>(batch); })) return false;
        Block& block = crew.round.block(0);
        if (!block.placed) exploration_.layers_->place(batch, block);
        if (!crew.schema().fits()) return false;
        store().placed();
        judge.want(batch, block);
        for (std::uint32_t p = 0; p < count; ++p) {
            const Block::Parent range = block.parents[p];
            for (std::uint32_t c = range.begin; judge.wanted[p] && c < range.end; ++c) {
                const Block::Candidate& found = block.found[c];
                if (found.place == place)
                    judge.graph.add(layer.number(block.state(c), found.hash), judge.label(batch, p, block, c));
                else if (judge.graph.labelled)
                    judge.graph.add(nothing, judge.label(batch, p, block, c));
            }
            judge.graph.end_state(range.begin == range.end && judge.wanted[p] && !block.is_cut_short(p));
        }
    }
    return true;
}

Stop Site::decide_on(OpenLayer& layer) {
    const Schema& schema = exploration_.program_.schema;
    const auto each = [&](const CompleteLayer::Visit& visit) {
        for (std::uint32_t i = 0; i < layer.size(); ++i) visit(i, layer.state(i));
    };
    const auto states = [&](const States& numbers) {
        std::vector<Unpacked> result;
        for (const std::uint32_t number : numbers) result.push_back(schema.unpack(layer.state(number)));
        return result;
    };
    Judge& judge = exploration_.judge_;
    const Stop stop = judge.decide({judge.graph, states, [&] { return exploration_.guard_.go_on(); }, each});
    for (Question& question : exploration_.questions.all)
        if (question.decided && question.number == no_parent)
            question.number = layer.origins.at(layer.number(exploration_.packed(question.witness).data()));
    return stop;
}

}  // namespace sweep
