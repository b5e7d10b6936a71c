#include "sweep/read/plain_net.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sweep {

namespace {

/// The text is not what this reader knows.
struct Unusual {};

constexpr std::size_t deepest = 400;    // elements within each other, as for all files
constexpr std::size_t most_digits = 9;  // so that numbers fit

/// What a character may be, a bit each: most of a file is looked at one by one.
enum : std::uint8_t { blank = 1, begins_name = 2, in_name = 4, in_value = 8, control = 16, is_quote = 32 };

constexpr std::array<std::uint8_t, 256> made_kinds() {
    std::array<std::uint8_t, 256> kinds{};
    const auto add = [&](std::string_view ones, int bits) {
        for (const char one : ones) kinds[static_cast<unsigned char>(one)] |= static_cast<std::uint8_t>(bits);
    };
    for (std::size_t one = 0; one < kinds.size(); ++one) kinds[one] = one < ' ' ? control : in_value;
    kinds['\n'] = kinds['\t'] = kinds['<'] = kinds['&'] = 0;
    kinds['"'] = kinds['\''] = is_quote;
    add(" \t\r\n", blank);
    add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:", begins_name | in_name);
    add("0123456789-.", in_name);
    return kinds;
}
constexpr std::array<std::uint8_t, 256> kinds = made_kinds();

bool is(char one, std::uint8_t kind) { return kinds[static_cast<unsigned char>(one)] & kind; }

/// Whether there is a character that XML has not, or that it reads as another one. Most texts have no control characters but line ends.
bool has_odd_characters(std::string_view text) {
    unsigned char found = 0;
    for (const char one : text)
        found |= static_cast<unsigned char>((static_cast<unsigned char>(one) < ' ') & (one != '\n') & (one != '\t'));
    if (!found) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (is(text[i], control) && (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')) return true;
    return false;
}

/// The text without blanks around it.
std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is(text.front(), blank)) text.remove_prefix(1);
    while (!text.empty() && is(text.back(), blank)) text.remove_suffix(1);
    return text;
}

/// XML without document types, sections, instructions and entities of its own, tag by tag. The zero after the text is no character that
/// XML has: whoever goes on while he finds what he knows stops there.
class Scanner {
public:
    struct Attribute {
        std::string_view name, value;
    };

    explicit Scanner(std::string_view text) : text_(text) {
        if (has_odd_characters(text)) throw Unusual{};
    }

    std::string_view tag;               // of the last tag, without a prefix
    std::vector<Attribute> attributes;  // of the last one that begins an element
    std::string* into = nullptr;        // where characters go

    /// Go to the next tag that begins or ends an element. False at the end of the text.
    bool next() {
        if (closes_itself_) {
            closes_itself_ = false;
            close(open_.back());
            return true;
        }
        for (;;) {
            if (!into) skip_blanks();  // that is all there is between most tags
            if (at_ < text_.size() && text_[at_] != '<') {
                const std::size_t begin = std::min(text_.find('<', at_), text_.size());
                characters(text_.substr(at_, begin - at_));
                at_ = begin;
            }
            if (at_ == text_.size()) {
                if (!open_.empty() || !rooted_) throw Unusual{};
                return false;
            }
            ++at_;
            if (peek() != '!') break;
            if (!text_.substr(at_).starts_with("!--")) throw Unusual{};
            const std::size_t end = text_.find("--", at_ + 3);
            if (end == std::string_view::npos || !text_.substr(end).starts_with("-->")) throw Unusual{};
            at_ = end + 3;
        }
        if (peek() == '/') {
            ++at_;
            const std::string_view name = word();
            skip_blanks();
            expect('>');
            close(name);
        } else {
            begin();
        }
        return true;
    }

    bool begins() const { return begins_; }
    std::size_t depth() const { return open_.size(); }

    std::string_view attribute(std::string_view name) const {
        const auto found = std::ranges::find(attributes, name, &Attribute::name);
        return found == attributes.end() ? std::string_view() : found->value;
    }

    /// The line of the last tag.
    std::uint32_t line() {
        line_ += static_cast<std::uint32_t>(std::count(text_.data() + counted_, text_.data() + tag_at_, '\n'));
        counted_ = tag_at_;
        return line_;
    }

    /// Pass over what is inside the element that begins here, and its end.
    void skip() {
        for (const std::size_t outside = depth() - 1; depth() > outside;) next();
    }

private:
    char peek() const { return text_.data()[at_]; }
    void expect(char one) {
        if (peek() != one) throw Unusual{};
        ++at_;
    }
    /// Go on while characters are of a kind.
    void pass(std::uint8_t kind) {
        const char* one = text_.data() + at_;
        while (is(*one, kind)) ++one;
        at_ = static_cast<std::size_t>(one - text_.data());
    }
    bool skip_blanks() {
        const std::size_t before = at_;
        if (peek() == '\n') {  // most of what follows the end of a line are spaces
            ++at_;
            while (at_ + 8 <= text_.size() && !std::memcmp(text_.data() + at_, "        ", 8)) at_ += 8;
        }
        pass(blank);
        return at_ > before;
    }
    std::string_view word() {
        const std::size_t before = at_;
        if (!is(peek(), begins_name)) throw Unusual{};
        pass(in_name);
        return text_.substr(before, at_ - before);
    }

    void begin() {
        if (open_.empty() && rooted_) throw Unusual{};
        tag_at_ = at_;
        const std::string_view name = word();
        attributes.clear();
        for (;;) {
            const bool apart = skip_blanks();
            if (peek() == '>' || peek() == '/') break;
            if (!apart) throw Unusual{};
            Attribute one{word(), {}};
            skip_blanks();
            expect('=');
            skip_blanks();
            const char quote = peek();
            if (quote != '"' && quote != '\'') throw Unusual{};
            const std::size_t begin = ++at_;
            for (pass(in_value); peek() != quote; pass(in_value)) {  // the other quote is a part of it
                if (!is(peek(), is_quote)) throw Unusual{};
                ++at_;
            }
            one.value = text_.substr(begin, at_++ - begin);
            if (std::ranges::find(attributes, one.name, &Attribute::name) != attributes.end()) throw Unusual{};
            attributes.push_back(one);
        }
        if (peek() == '/') {
            ++at_;
            closes_itself_ = true;
        }
        expect('>');
        open_.push_back(name);
        if (open_.size() > deepest) throw Unusual{};
        rooted_ = begins_ = true;
        tag = name.substr(name.rfind(':') + 1);
    }

    void close(std::string_view name) {
        if (open_.empty() || open_.back() != name) throw Unusual{};
        open_.pop_back();
        begins_ = false;
        tag = name.substr(name.rfind(':') + 1);
    }

    void characters(std::string_view found) {
        if (found.empty()) return;
        if (open_.empty() && !trimmed(found).empty()) throw Unusual{};
        if (found.find("]]>") != std::string_view::npos) throw Unusual{};
        while (!found.empty()) {
            const std::size_t plain = std::min(found.find('&'), found.size());
            if (into) into->append(found.substr(0, plain));
            found.remove_prefix(plain);
            if (!found.empty()) entity(found);
        }
    }

    void entity(std::string_view& found) {
        static constexpr std::pair<std::string_view, char> known[] = {
            {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
        for (const auto& [name, one] : known) {
            if (!found.starts_with(name)) continue;
            if (into) into->push_back(one);
            found.remove_prefix(name.size());
            return;
        }
        throw Unusual{};
    }

    std::string_view text_;
    std::size_t at_ = 0, tag_at_ = 0, counted_ = 0;
    std::uint32_t line_ = 1;
    std::vector<std::string_view> open_;
    bool begins_ = false, closes_itself_ = false, rooted_ = false;
};

bool is_ignored(std::string_view tag) { return tag == "graphics" || tag == "toolspecific"; }

/// Words with one blank between them.
std::string in_one_line(std::string_view text) {
    text = trimmed(text);
    std::string made;
    made.reserve(text.size());
    for (const char one : text)
        if (!is(one, blank))
            made.push_back(one);
        else if (made.back() != ' ')
            made.push_back(' ');
    return made;
}

std::uint32_t number(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || text.size() > most_digits) throw Unusual{};
    std::uint32_t found = 0;
    for (const char one : text) {
        if (one < '0' || one > '9') throw Unusual{};
        found = found * 10 + static_cast<std::uint32_t>(one - '0');
    }
    return found;
}

class Reader {
public:
    explicit Reader(std::string_view text) : scanner_(text) {}

    PlainNet read() {
        while (scanner_.next())
            if (scanner_.begins()) begin();
        if (!found_) throw Unusual{};
        join();
        return std::move(net_);
    }

private:
    struct Unjoined {
        std::string_view source, target;
        PlainNet::Kind kind;
        std::uint32_t weight;
    };
    struct Node {
        bool is_place;
        std::uint32_t number;
    };

    /// An element that is not inside a node or an arc.
    void begin() {
        const std::string_view tag = scanner_.tag;
        const std::size_t depth = scanner_.depth();
        if (is_ignored(tag)) return scanner_.skip();
        if (depth == 1) {
            if (tag != "pnml") throw Unusual{};
        } else if (tag == "net") {
            if (depth != 2 || found_) throw Unusual{};
            found_ = true;
            net_.type = scanner_.attribute("type");
            net_.id = scanner_.attribute("id");
        } else if (depth == 2) {
            throw Unusual{};
        } else if (tag == "name") {
            const std::string name = in_one_line(label());
            if (depth == 3 && !name.empty()) net_.name = name;
        } else if (tag == "place" || tag == "transition") {
            node(tag == "place");
        } else if (tag == "arc") {
            arc();
        } else if (tag != "page") {
            throw Unusual{};
        }
    }

    /// What is written in the label that begins here; goes to its end.
    std::string label() {
        std::string written;
        bool found = false;
        for (const std::size_t inside = scanner_.depth(); scanner_.next() && scanner_.depth() >= inside;) {
            if (!scanner_.begins()) continue;
            if (is_ignored(scanner_.tag)) {
                scanner_.skip();
                continue;
            }
            if (scanner_.tag != "text" || found) throw Unusual{};
            found = true;
            scanner_.into = &written;
            scanner_.next();
            scanner_.into = nullptr;
            if (scanner_.begins()) throw Unusual{};
        }
        if (!found) throw Unusual{};
        return written;
    }

    /// Some tools say in attributes what others say in elements.
    void check_attributes(std::initializer_list<std::string_view> known) const {
        for (const Scanner::Attribute& one : scanner_.attributes)
            if (std::ranges::find(known, one.name) == known.end()) throw Unusual{};
    }

    void node(bool is_place) {
        check_attributes({"id"});
        PlainNet::Nodes& nodes = is_place ? net_.places : net_.transitions;
        const std::string_view id = scanner_.attribute("id");
        if (id.empty()) throw Unusual{};
        const Node made{is_place, static_cast<std::uint32_t>(nodes.ids.size())};
        if (!nodes_.emplace(id, made).second) throw Unusual{};
        nodes.ids.emplace_back(id);
        nodes.lines.push_back(scanner_.line());
        std::string name;
        std::uint32_t tokens = 0;
        bool named = false, marked = false;
        for (const std::size_t inside = scanner_.depth(); scanner_.next() && scanner_.depth() >= inside;) {
            if (!scanner_.begins()) continue;
            if (is_ignored(scanner_.tag)) {
                scanner_.skip();
            } else if (scanner_.tag == "name" && !std::exchange(named, true)) {
                name = in_one_line(label());
            } else if (is_place && scanner_.tag == "initialMarking" && !std::exchange(marked, true)) {
                tokens = number(label());
            } else {
                throw Unusual{};
            }
        }
        nodes.names.push_back(name.empty() ? std::string(id) : std::move(name));
        if (is_place) net_.initial.push_back(tokens);
    }

    void arc() {
        check_attributes({"id", "source", "target", "type"});
        Unjoined made{scanner_.attribute("source"), scanner_.attribute("target"), PlainNet::Kind::take, 1};
        std::string_view kind = scanner_.attribute("type");
        bool weighed = false, typed = false;
        for (const std::size_t inside = scanner_.depth(); scanner_.next() && scanner_.depth() >= inside;) {
            if (!scanner_.begins()) continue;
            if (is_ignored(scanner_.tag) || scanner_.tag == "name") {
                scanner_.skip();
            } else if (scanner_.tag == "inscription" && !std::exchange(weighed, true)) {
                made.weight = number(label());
                if (!made.weight) throw Unusual{};
            } else if (scanner_.tag == "type" && !std::exchange(typed, true)) {
                if ((kind = scanner_.attribute("value")).empty()) throw Unusual{};
                scanner_.skip();
            } else {
                throw Unusual{};
            }
        }
        using Kind = PlainNet::Kind;
        static constexpr std::pair<std::string_view, Kind> kinds[] = {
            {"", Kind::take},     {"normal", Kind::take}, {"inhibitor", Kind::inhibit},
            {"test", Kind::test}, {"read", Kind::test},   {"reset", Kind::reset}};
        const auto known = std::ranges::find(kinds, kind, [](const auto& one) { return one.first; });
        if (known == std::end(kinds)) throw Unusual{};
        made.kind = known->second;
        unjoined_.push_back(made);
    }

    /// Arcs may come before what they join.
    void join() {
        net_.arcs.reserve(unjoined_.size());
        for (const Unjoined& one : unjoined_) {
            const auto source = nodes_.find(one.source), target = nodes_.find(one.target);
            if (source == nodes_.end() || target == nodes_.end()) throw Unusual{};
            const bool takes = source->second.is_place;
            if (takes == target->second.is_place || (!takes && one.kind != PlainNet::Kind::take)) throw Unusual{};
            const Node place = takes ? source->second : target->second, transition = takes ? target->second : source->second;
            net_.arcs.push_back({transition.number, takes ? one.kind : PlainNet::Kind::put, place.number, one.weight});
        }
    }

    Scanner scanner_;
    PlainNet net_;
    bool found_ = false;
    std::unordered_map<std::string_view, Node> nodes_;
    std::vector<Unjoined> unjoined_;
};

/// The arcs of one transition to one place, added up.
struct Sum {
    std::uint32_t transition = 0, place = 0;
    std::uint64_t take = 0, put = 0, test = 0;
    std::uint32_t inhibit = 0;   // 0: it does not
    std::uint32_t arcs[5] = {};  // how many of each kind
    bool resets() const { return arcs[4]; }

    void add(const PlainNet::Arc& arc) {
        using Kind = PlainNet::Kind;
        ++arcs[static_cast<std::size_t>(arc.kind)];
        if (arc.kind == Kind::take) take += arc.weight;
        if (arc.kind == Kind::put) put += arc.weight;
        if (arc.kind == Kind::test) test = std::max<std::uint64_t>(test, arc.weight);  // two of them may find the same tokens
        if (arc.kind == Kind::inhibit) inhibit = inhibit ? std::min(inhibit, arc.weight) : arc.weight;  // the least decides
    }
    /// One token is looked at, or taken and put back.
    bool is_steady() const {
        if (inhibit || resets()) return false;
        const bool looks = !arcs[0] && !arcs[1] && test == 1;
        return looks || (arcs[0] == 1 && arcs[1] == 1 && !arcs[2] && take == 1 && put == 1);
    }
};

/// By transition and place.
std::vector<Sum> sums(std::vector<PlainNet::Arc> arcs) {
    std::ranges::sort(arcs, {}, [](const PlainNet::Arc& one) { return std::pair(one.transition, one.place); });
    std::vector<Sum> found;
    for (const PlainNet::Arc& arc : arcs) {
        if (found.empty() || found.back().transition != arc.transition || found.back().place != arc.place)
            found.push_back({arc.transition, arc.place});
        found.back().add(arc);
    }
    return found;
}

}  // namespace

std::optional<PlainNet> read_plain_net(const char* begin, const char* end) {
    const std::string_view text(begin, end);
    try {
        return Reader(text).read();
    } catch (const Unusual&) {
        return std::nullopt;
    }
}

bool has_ordinary_names(const PlainNet& net, std::string_view reserved) {
    const auto ordinary = [&](const std::string& name) {
        const auto fits = [](char one) { return is(one, in_name) && one != '.' && one != ':'; };
        return !name.empty() && name.front() != '_' && name.front() != '-' && std::ranges::all_of(name, fits) && name != reserved;
    };
    const auto all = [&](const auto& holds) { return std::ranges::all_of(std::array{&net.places, &net.transitions}, holds); };
    if (!all([&](const PlainNet::Nodes* nodes) { return std::ranges::all_of(nodes->names, ordinary); })) return false;
    if (all([](const PlainNet::Nodes* nodes) { return nodes->names == nodes->ids; })) return true;  // no two ids are alike
    std::unordered_set<std::string_view> taken;
    return all([&](const PlainNet::Nodes* nodes) {
        return std::ranges::all_of(nodes->names, [&](const std::string& name) { return taken.insert(name).second; });
    });
}

std::optional<Counts> count(const PlainNet& net) {
    const std::vector<Sum> found = sums(net.arcs);
    Counts made;
    made.single.resize(net.places.ids.size());
    std::ranges::transform(net.initial, made.single.begin(), [](std::uint32_t tokens) { return tokens == 1; });
    for (const Sum& one : found)
        if (!one.is_steady()) made.single[one.place] = 0;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 0; const std::uint8_t single : made.single) numbers.push_back(single ? number : number++);
    for (const Sum& one : found) {
        if (made.single[one.place]) continue;
        const auto list = [&](Counts::Kind kind, std::uint64_t number) {
            if (number) made.arcs.push_back({one.transition, kind, numbers[one.place], static_cast<std::uint32_t>(number)});
            return !(number >> 32);
        };
        // What is tested is beside what is taken, and stays unless the place is emptied.
        const bool fits = list(Counts::Kind::take, one.take + one.test) &&
                          list(Counts::Kind::put, one.put + (one.resets() ? 0 : one.test)) && list(Counts::Kind::inhibit, one.inhibit) &&
                          list(Counts::Kind::reset, one.resets());
        if (!fits) return std::nullopt;
    }
    return made;
}

}  // namespace sweep
