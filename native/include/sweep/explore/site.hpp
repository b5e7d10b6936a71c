#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sweep/explore/exploration.hpp"
#include "sweep/explore/post.hpp"

namespace sweep {

/// The share of one process in an exploration of several: it stores the states that it owns, and hands all others over. What `run` does in
/// one go is done here in steps, between which somebody carries batches to and fro and decides which layer is at work.
class Site {
public:
    /// `fields` decide who owns a state; `meet` tells what the values mean that were met since it was last called.
    Site(Exploration& exploration, std::uint32_t me, std::uint32_t sites, std::vector<std::uint32_t> fields, std::function<void()> meet);

    /// The initial states that are owned here, unless the run goes on from states that were kept.
    Stop begin(const Roots& roots, bool resumes);
    /// States that another site found.
    Stop receive(std::uint32_t sender, const Dictionary& dictionary, std::span<const std::uint8_t> bytes);
    /// States that were kept: those of them that are owned here.
    void restore(const Dictionary& dictionary, std::span<const std::uint8_t> bytes);
    /// All that is needed to go on.
    std::vector<std::uint8_t> kept();
    /// Process what waits in the least layer: at most so many states, and as long as less than so many bytes wait to be sent.
    Stop work(std::uint64_t most_states, std::uint64_t most_bytes);
    std::uint64_t processed() const { return processed_; }

    /// The least layer with unprocessed states, and how many these are.
    Place least() { return store().least_waiting(); }
    std::uint64_t waiting() { return least() == no_place ? 0 : store().waiting_in(least()); }
    /// The least layer that is entered and not left, though all its states may be processed; and how many it has had.
    Place entered() { return store().least_open(); }
    std::uint64_t here() { return entered() == no_place ? 0 : store().states_in(entered()); }
    /// Nobody has unprocessed states of that layer any more: leave it.
    void leave();
    /// Have the parent file complete.
    void flush();
    bool ends_sweep() { return store().ends_sweep(); }
    void begin_sweep();

    /// States of one layer that one site tells another.
    struct Share {
        std::uint32_t sender;
        const Dictionary& dictionary;
        std::span<const std::uint8_t> bytes;
    };
    /// Decide what is asked about the cycles of a layer, from what all sites have noted as open in it: what a component is made of lies
    /// with several of them. The number of a state that decides something tells its site, as that of a parent does.
    Stop decide(const std::vector<Share>& shares);
    /// Other sites have decided these questions: whose states are open is no longer noted for them.
    void settle(const std::vector<std::uint32_t>& questions);

    Post post;
    /// What the states are that the cycles of the layer at work may go through, and how many.
    std::vector<std::uint8_t> open;
    std::uint64_t open_count = 0;

private:
    static constexpr int sender_shift = 48;  // numbers of states below it, above it one more than the site that they are of

    static constexpr std::size_t together = 32;  // states of a batch that are looked up one after the other

    struct Arrival {
        Coming coming;
        Sender from;
    };

    LayerStore& store() { return std::get<LayerStore>(exploration_.store_); }
    bool fit();
    template <class See>
    void read_all(const Dictionary& dictionary, std::span<const std::uint8_t> bytes, bool numbered, See&& see);
    void look_ahead(const Word* states, std::size_t count);
    template <int K>
    bool process(Batch& batch, Stop& stop);
    void note_open(const Batch& batch, const Block& block);
    class OpenLayer;
    bool read(const std::vector<Share>& shares, OpenLayer& layer);
    bool make_graph(OpenLayer& layer);
    Stop decide_on(OpenLayer& layer);

    Exploration& exploration_;
    Writer open_writer_;
    std::function<void()> meet_;
    Block ahead_;                  // of states that have arrived: where they will be looked up
    std::uint64_t processed_ = 0;  // states, in the last call of `work`
};

}  // namespace sweep
