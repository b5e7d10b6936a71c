#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweep {

/// A place/transition net as a file describes it. A node without a name is called by its id.
struct PlainNet {
    struct Nodes {
        std::vector<std::string> ids, names;
        std::vector<std::uint32_t> lines;
    };
    enum class Kind : std::uint32_t { take, put, test, inhibit, reset };
    struct Arc {
        std::uint32_t transition;
        Kind kind;
        std::uint32_t place, weight;
    };
    std::string type, id, name;
    Nodes places, transitions;
    std::vector<std::uint32_t> initial;  // tokens of each place
    std::vector<Arc> arcs;               // in the order of the file
};

/// Reads PNML as most tools write it. Nothing comes back where the text is not that, be it wrong or only unusual: a reader that knows all
/// of XML then says which. The text is UTF-8 without a declaration, and a zero follows it.
std::optional<PlainNet> read_plain_net(const char* begin, const char* end);

/// Whether every node can be called as the file calls it: no two alike, none by a reserved name, all of letters, digits, `_` and `-`, and
/// begun with one of the first two.
bool has_ordinary_names(const PlainNet& net, std::string_view reserved);

/// What the arcs of each transition do together, by place.
struct Counts {
    enum class Kind : std::uint32_t { take, put, inhibit, reset };
    struct Arc {
        std::uint32_t transition;
        Kind kind;
        std::uint32_t place, count;
    };
    std::vector<std::uint8_t> single;  // per place: it holds one token always, and nothing depends on it;
    std::vector<Arc> arcs;             // the others are numbered without these. By transition and place
};

/// Nothing where a number is too large.
std::optional<Counts> count(const PlainNet& net);

}  // namespace sweep
