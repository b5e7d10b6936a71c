#include "sweep/explore/site.hpp"

#include <algorithm>
#include <utility>

#include "sweep/explore/crew.hpp"

namespace sweep {

namespace {

/// A store to which a state of another site is as good as known: it is handed over, unless that was done lately.
class SiteStore {
public:
    SiteStore(LayerStore& store, Post& post, const Batch& batch, std::size_t actions)
        : store_(store), post_(post), batch_(batch), actions_(actions) {}

    Width width() const { return store_.width(); }
    template <int K>
    [[gnu::always_inline]] Word* seek(const Block& block, std::uint32_t c) const {
        if (is_mine(c)) return store_.seek<K>(block, c);
        Word* const pair = post_.sent.start<K>(block.found[c].hash);
        __builtin_prefetch(pair);
        return pair;
    }
    std::uint64_t moves() const { return store_.moves(); }
    /// A state of another site that lies where it is looked up was sent lately.
    bool sifts() const { return store_.sifts(); }
    template <int K>
    [[gnu::always_inline]] Fate insert(const Block& block, std::uint32_t c, Word* start, const Word*& slot) {
        if (is_mine(c)) return store_.insert<K>(block, c, start, slot);
        const Block::Candidate& found = block.found[c];
        const bool back = store_.goes_back(found);
        if (back) store_.count_back(found);
        if (!post_.sent.holds<K>(start, block.state<K>(c), back))
            post_.send(post_.ownership[c], block.state<K>(c), start, back, {batch_.number(parent_), Block::edge(found, actions_)});
        return Fate::known;
    }
    template <int K>
    void admit(const Block& block, std::uint32_t c, std::uint64_t number, Fate fate, bool) {
        store_.admit<K>(block, c, number, fate, false);
    }
    template <int K>
    void processed(const Batch&, std::uint32_t parent) {
        parent_ = parent + 1;
    }

private:
    [[gnu::always_inline]] bool is_mine(std::uint32_t c) const { return post_.ownership[c] == post_.ownership.me; }

    LayerStore& store_;
    Post& post_;
    const Batch& batch_;
    std::size_t actions_;
    std::uint32_t parent_ = 0;
};

}  // namespace

Site::Site(Exploration& exploration, std::uint32_t me, std::uint32_t sites, std::vector<std::uint32_t> fields, std::function<void()> meet)
    : post(exploration.program_.schema, me, sites, std::move(fields), exploration.settings_.parent_file.has_value()),
      exploration_(exploration),
      open_writer_(exploration.program_.schema, exploration.settings_.parent_file.has_value()),
      meet_(std::move(meet)) {}

/// Whether the layout has room for what was asked for; if not, it has when this is called again.
bool Site::fit() {
    if (exploration_.program_.schema.fits()) return true;
    exploration_.grow();
    post.lay_out();
    open_writer_.lay_out();
    return false;
}

Stop Site::begin(const Roots& roots, bool resumes) {
    exploration_.prepare(roots);
    meet_();
    for (std::size_t i = 0; i < roots.size() && !resumes; ++i) {
        const std::vector<Word> root = exploration_.packed(roots[i]);
        if (post.ownership.owner(root.data()) != post.ownership.me || store().insert_root(root.data())) continue;
        const std::uint64_t number = exploration_.ledger_.found(no_parent, i);
        const Place place = store().admit_root(root.data(), number);
        const Stop stop = exploration_.judge_.found(root.data(), number, place);
        if (stop != Stop::none) return stop;
    }
    post.lay_out();
    return Stop::none;
}

template <class See>
void Site::read_all(const Dictionary& dictionary, std::span<const std::uint8_t> bytes, bool numbered, See&& see) {
    Schema& schema = exploration_.program_.schema;
    meet_();
    while (!fit()) {
    }
    std::vector<Word> states;
    std::vector<Arrival> read;
    BatchReader reader(schema, post.ownership.meanings, dictionary, bytes, numbered);
    while (!reader.at_end()) {
        const auto words = static_cast<std::size_t>(schema.layout.words);
        states.resize(together * words);
        read.clear();
        while (!reader.at_end() && read.size() < together) {
            Word* const state = states.data() + read.size() * words;
            reader.read(state);
            if (!schema.fits()) {  // those before it are seen in the layout that they were read in
                reader.again();
                break;
            }
            read.push_back({reader.coming(), reader.from()});
        }
        see(states.data(), read);
        fit();
    }
}

/// Where they will be looked up is fetched before it is needed.
void Site::look_ahead(const Word* states, std::size_t count) {
    LayerStore& all = store();
    const auto words = static_cast<std::size_t>(all.words());
    ahead_.found.resize(together);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Word* const state = states + i * words;
        ahead_.found[i].place = exploration_.settings_.order == Settings::Order::layers ? exploration_.layers_->layer_of(state) : 0;
        ahead_.found[i].hash = hash_words<0>(state, all.width());
    }
    all.placed();
    for (std::uint32_t i = 0; i < count; ++i) all.prefetch<0>(ahead_, i);
}

Stop Site::receive(std::uint32_t sender, const Dictionary& dictionary, std::span<const std::uint8_t> bytes) {
    Ledger& ledger = exploration_.ledger_;
    Stop stop = Stop::none;
    const MemoryLimit limit(exploration_.settings_.limits.memory);
    try {
        read_all(dictionary, bytes, ledger.parents != nullptr, [&](const Word* states, const std::vector<Arrival>& read) {
            if (stop != Stop::none) return;
            look_ahead(states, read.size());
            for (std::size_t i = 0; i < read.size() && stop == Stop::none; ++i) {
                const Word* const state = states + i * static_cast<std::size_t>(store().words());
                const auto [hash, place] = std::pair(ahead_.found[i].hash, ahead_.found[i].place);
                const Fate fate = store().arrive(state, hash, place, read[i].coming == Coming::back);
                if (fate == Fate::known) continue;
                const std::uint64_t parent = read[i].from.parent | (std::uint64_t{sender} + 1) << sender_shift;
                const std::uint64_t number = ledger.found(parent, read[i].from.edge);
                store().admit_arrival(state, place, number, fate);
                stop = exploration_.judge_.found(state, number, place);
            }
        });
    } catch (const OutOfMemory&) {
        return Stop::memory;
    }
    return stop;
}

void Site::restore(const Dictionary& dictionary, std::span<const std::uint8_t> bytes) {
    read_all(dictionary, bytes, false, [&](const Word* states, const std::vector<Arrival>& read) {
        for (std::size_t i = 0; i < read.size(); ++i) {
            const Word* const state = states + i * static_cast<std::size_t>(store().words());
            if (post.ownership.owner(state) != post.ownership.me) continue;
            const Coming coming = read[i].coming;
            const bool persists = coming == Coming::persistent || coming == Coming::root;
            store().restore(state, persists, coming == Coming::waiting || coming == Coming::root);
        }
    });
}

std::vector<std::uint8_t> Site::kept() {
    std::vector<std::uint8_t> bytes;
    Writer writer(exploration_.program_.schema, false);
    store().each_kept([&](const Word* state, bool persists, bool waits) {
        const Coming coming = persists ? (waits ? Coming::root : Coming::persistent) : waits ? Coming::waiting : Coming::processed;
        writer.write(state, coming, {}, bytes);
    });
    return bytes;
}

template <int K>
bool Site::process(Batch& batch, Stop& stop) {
    Crew& crew = exploration_.crew_;
    crew.bound.begin(batch, store().waiting());
    crew.round.begin(batch);
    if (!crew.expand<K>(batch)) return false;
    Block& block = crew.round.block(0);
    if (exploration_.settings_.order == Settings::Order::layers && !block.placed) exploration_.layers_->place(batch, block);
    if (!crew.schema().fits()) return false;
    store().placed();
    crew.verifier.look(batch, block, crew.ledger.counters.explored, crew.guard.seconds);
    meet_();
    if (crew.judge.asks_cycles()) note_open(batch, block);
    post.look<K>(batch, block, store().bytes());
    SiteStore mine(store(), post, batch, crew.ledger.actions());
    const Stop full = crew.insert<K>(batch, block, mine);
    stop = crew.judge.see(batch, block);
    if (stop == Stop::none) stop = full;
    if (full == Stop::none) store().done(batch);
    return true;
}

Stop Site::work(std::uint64_t most_states, std::uint64_t most_bytes) {
    Stop stop = Stop::none;
    processed_ = 0;
    const MemoryLimit limit(exploration_.settings_.limits.memory);
    try {
        while (stop == Stop::none && processed_ < most_states && post.bytes() < most_bytes) {
            stop = exploration_.guard_.look(LayerStore::blocks_per_look);
            if (stop != Stop::none || least() == no_place || least() != entered()) break;
            Batch batch = store().next<0>();
            batch.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(batch.count, most_states - processed_));
            const bool done = with_width(exploration_.crew_.width(), [&]<int K>() { return process<K>(batch, stop); });
            if (done)
                processed_ += batch.count;
            else
                fit();
        }
    } catch (const OutOfMemory&) {
        return Stop::memory;
    }
    return stop;
}

void Site::leave() {
    exploration_.ledger_.weigh();
    store().leave_layer();
}

void Site::flush() {
    if (exploration_.ledger_.parents) exploration_.ledger_.parents->flush();
}

void Site::begin_sweep() {
    store().begin_sweep();
    post.sent.forget();
}

}  // namespace sweep
