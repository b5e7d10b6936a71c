// Stop-and-wait over a network that loses and overtakes; progress is (sender, receiver).
#include "network.hpp"

struct StopAndWait {
    using Word = bench::Word;
    using Net = bench::Network<PACKETS, CAPACITY, 2>;
    static constexpr Word data = 0, acks = 1;
    static constexpr std::size_t layers = (PACKETS + 2) * (PACKETS + 2);

    static Word initial() { return Net::make(1, 1); }
    static std::size_t layer(Word state) { return Net::sender(state) * (PACKETS + 2) + Net::receiver(state); }

    static void successors(Word state, auto&& offer) {
        const Word sender = Net::sender(state), receiver = Net::receiver(state);
        if (sender <= PACKETS && !Net::full(state)) offer(Net::with(state, Net::content(data, sender)));
        Net::takes(state, [&](Word rest, Word place, Word number) {
            offer(rest);  // lost
            if (place == acks) {
                offer(Net::with_sender(rest, std::max(sender, number)));
            } else {
                const Word step = number == receiver;
                const Word answered = rest + (step << Net::receiver_at);
                offer(Net::with(answered, Net::content(acks, receiver + step)));
            }
        });
    }
};

int main(int count, char** arguments) { return bench::run<StopAndWait>(count, arguments); }
