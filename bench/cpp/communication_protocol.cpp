// The two-stage communication protocol of paper 4; progress is (sender, receiver). State and edge before the start
// are a layer of their own.
#include "network.hpp"

struct CommunicationProtocol {
    using Word = bench::Word;
    using Net = bench::Network<PACKETS, CAPACITY, 4>;
    static constexpr Word a = 0, b = 1, c = 2, d = 3;
    static constexpr std::size_t layers = (PACKETS + 2) * (PACKETS + 2);

    static Word initial() { return Net::make(0, 0); }
    static std::size_t layer(Word state) { return Net::sender(state) * (PACKETS + 2) + Net::receiver(state); }

    static void successors(Word state, auto&& offer) {
        const Word sender = Net::sender(state), receiver = Net::receiver(state);
        if (sender == 0) return offer(Net::make(1, 1));
        if (sender <= PACKETS && !Net::full(state)) offer(Net::with(state, Net::content(a, sender)));
        Net::takes(state, [&](Word rest, Word place, Word number) {
            if (place == b) {
                const Word step = number == receiver;
                const Word answered = rest + (step << Net::receiver_at);
                offer(Net::with(answered, Net::content(c, receiver + step)));
            } else if (place == d) {
                offer(Net::with_sender(rest, std::max(sender, number)));
            } else {
                offer(Net::with(rest, Net::content(place + 1, number)));
                offer(rest);  // lost
            }
        });
    }
};

int main(int count, char** arguments) { return bench::run<CommunicationProtocol>(count, arguments); }
