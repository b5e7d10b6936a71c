#include "sweep/program/triggers.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "sweep/program/block.hpp"
#include "sweep/program/groups.hpp"

namespace sweep {

namespace {

constexpr std::uint32_t most_first_values = 1 << 16;  // of the first question of an action
constexpr std::uint32_t most_values = 16;             // of later ones
constexpr std::size_t most_nodes = 12;                // of an action, among which a question is looked for
constexpr std::uint32_t least_units = 16;             // fewer are looked at as fast as their triggers
constexpr int most_steps = 64;                        // through a table, to find out that it leads nowhere

using Node = Trie::Node;

/// Bits of a word that a question is about; none where `mask` is 0.
struct Stretch {
    std::uint16_t word = 0;
    std::uint8_t shift = 0;
    Word mask = 0;
    auto operator<=>(const Stretch&) const = default;
};

/// A number that nobody has met yet has no value: whether a scalar is that number is asked of the same bits all the same.
Stretch stretch_of(const Trie& trie, const Node& node, const Schema& schema) {
    if (node.direct != Node::Direct::no) return {node.word, node.shift, node.mask};
    const Field& field = schema.layout.fields[node.field];
    if (!trie.asks_whether(node) || field.high.width || field.spans()) return {};
    return {field.low.word, field.low.shift, low_bits(field.low.width)};
}

bool takes(const Node& node) { return node.direct == Node::Direct::take || node.direct == Node::Direct::take_count; }

/// So many values of the bits a node asks about are told apart. Of a bag it is known only whether it is empty.
std::uint64_t values_of(const Node& node, const Schema& schema) {
    if (node.ask == Ask::value) return node.direct == Node::Direct::value ? schema.variables[node.field].values : 1;
    if (node.ask == Ask::equal) return schema.variables[node.field].values;
    return node.direct < Node::Direct::value || node.direct == Node::Direct::size ? 1 : std::min<Word>(node.mask + 1, most_values);
}

/// The value that a scalar is asked to be; `Numbers::no_id` when nobody has met it.
Word value_wanted(const Node& node, const Schema& schema) {
    return schema.numbers_of(node.field).find(static_cast<std::int32_t>(node.threshold));
}

/// Whether a table leads nowhere from a place on, whatever it asks, in all states in which the bits of a question have a value.
class Deadness {
public:
    Deadness(const Trie& trie, const Schema& schema, const Stretch& about, Word value)
        : trie_(trie), schema_(schema), about_(about), value_(value) {}

    bool holds(Code code) {
        if (code & 1) return code == disabled;
        if (code == unknown || ++steps_ > most_steps) return false;
        const Node& node = trie_.nodes[index_of(code)];
        if (stretch_of(trie_, node, schema_) == about_) {
            if (takes(node)) return value_ == 0;
            if (trie_.asks_whether(node)) return holds(trie_.child(node, value_ == value_wanted(node, schema_)));
            return holds(trie_.child(node, node.key(value_)));
        }
        const std::uint64_t keys = possible_keys(node);
        if (keys == 0 || keys > most_steps) return false;
        for (std::uint32_t key = 0; key < keys; ++key)
            if (!holds(trie_.child(node, key))) return false;
        return true;
    }

private:
    /// All answers there can be are below this; 0: not known. Of a scalar there are as many as its bits allow: with more bits comes
    /// another grouping.
    std::uint64_t possible_keys(const Node& node) const {
        if (node.ask == Ask::value) return std::uint64_t{1} << bits_for(schema_.variables[node.field].values);
        if (node.ask == Ask::at_least || node.ask == Ask::equal || node.ask == Ask::not_less) return 2;
        if (node.direct == Node::Direct::value) return node.mask + 1;
        return node.ask == Ask::choose ? node.argument : 0;
    }

    const Trie& trie_;
    const Schema& schema_;
    const Stretch about_;
    Word value_;
    int steps_ = 0;
};

}  // namespace

class TriggerSearch {
public:
    TriggerSearch(const Program& program, const Grouping& grouping, const Batch& batch)
        : program_(program), grouping_(grouping), batch_(batch) {}

    Triggers found() {
        const std::uint32_t groups = static_cast<std::uint32_t>(grouping_.groups.size());
        result_ = Triggers::none(grouping_);
        result_.always_.resize((result_.units_ + 63) / 64);
        owner_.assign(static_cast<std::size_t>(program_.schema.layout.words) * 64, none);
        for (std::uint32_t unit = 0; unit < result_.units_; ++unit) {
            const std::span<const std::uint32_t> actions =
                unit < groups ? std::span(grouping_.groups[unit].actions) : std::span(&grouping_.others[unit - groups], 1);
            add(unit, actions);
        }
        finish();
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t none = ~0u;
    using Values = std::vector<std::uint32_t>;

    struct Bits {  // a feature, and what is known about it while the search goes on
        Triggers::Feature feature;
        Word quiet = 0;
        std::vector<std::uint32_t> seen;  // per value: in how many states of the batch; the last entry is for all further ones
        std::vector<std::pair<std::uint32_t, std::uint32_t>> wakes;  // value, unit
        std::uint32_t field = 0;                                     // whose numbers those are
        std::vector<std::pair<std::int64_t, std::uint32_t>> expect;  // that units wait for, and nobody has met
    };
    struct Trigger {
        std::uint32_t bits;
        Values waking;
        std::uint32_t asleep;                     // states of the batch in which it is
        std::optional<std::int64_t> number = {};  // the only one that wakes it
    };

    /// Let the triggers of all actions of a unit wake it; one without makes it always awake. So does being woken by most states:
    /// then asking is not worth it.
    void add(std::uint32_t unit, std::span<const std::uint32_t> actions) {
        std::vector<Trigger> triggers;
        std::uint32_t wakings = 0;
        for (const std::uint32_t action : actions) {
            std::optional<Trigger> best = trigger(program_.actions()[action].trie);
            if (!best) break;
            wakings += batch_.count - best->asleep;
            triggers.push_back(std::move(*best));
        }
        if (triggers.size() < actions.size() || wakings > batch_.count / 2) {
            result_.always_[unit / 64] |= Word{1} << (unit % 64);
            return;
        }
        for (const Trigger& trigger : triggers) {
            Bits& bits = bits_[trigger.bits];
            for (const std::uint32_t value : trigger.waking) bits.wakes.emplace_back(value, unit);
            if (!trigger.number)
                bits.wakes.emplace_back(bits.feature.values, unit);  // nothing is known about further values
            else if (trigger.waking.empty())
                bits.expect.emplace_back(*trigger.number, unit);
        }
    }

    /// The question that most often tells that an action is disabled.
    std::optional<Trigger> trigger(const Trie& trie) {
        std::optional<Trigger> best;
        if (trie.root == unknown || (trie.root & 1)) return best;
        const Node& root = trie.nodes[index_of(trie.root)];
        if (trie.asks_whether(root) && trie.child(root, 0) == disabled) return awaiting(trie, root);
        const Stretch first = stretch_of(trie, root, program_.schema);
        for (std::size_t i = 0; i < std::min(trie.nodes.size(), most_nodes); ++i) {
            const Node& node = trie.nodes[i];
            const std::uint64_t values = values_of(node, program_.schema);
            const Stretch stretch = stretch_of(trie, node, program_.schema);
            if (stretch.mask == 0 || values > (stretch == first ? most_first_values : most_values)) continue;
            const std::uint32_t index = bits_of(stretch, static_cast<std::uint32_t>(values));
            if (index == none) continue;
            const Bits& bits = bits_[index];
            if (best && best->bits == index) continue;
            Trigger found{index, {}, 0};
            bool quiet = true;
            for (std::uint32_t value = 0; value < values; ++value) {
                if (Deadness(trie, program_.schema, stretch, value).holds(trie.root)) {
                    found.asleep += bits.seen[value];
                } else {
                    found.waking.push_back(value);
                    quiet &= value != bits.quiet;
                }
            }
            if (quiet && (!best || found.asleep > best->asleep)) best = std::move(found);
        }
        return best;
    }

    /// The trigger of an action that waits for one number.
    std::optional<Trigger> awaiting(const Trie& trie, const Node& root) {
        const Stretch stretch = stretch_of(trie, root, program_.schema);
        const std::uint64_t values = values_of(root, program_.schema);
        if (stretch.mask == 0 || values > most_first_values) return std::nullopt;
        const std::uint32_t index = bits_of(stretch, static_cast<std::uint32_t>(values));
        if (index == none) return std::nullopt;
        bits_[index].field = root.field;
        const Word wanted = value_wanted(root, program_.schema);
        Trigger found{index, {}, batch_.count, static_cast<std::int32_t>(root.threshold)};
        const Word quiet = bits_[index].quiet;
        if (wanted == quiet || program_.schema.numbers_of(root.field)[static_cast<Id>(quiet)] == Numbers::none) return std::nullopt;
        if (wanted >= values) return found;
        found.waking.push_back(static_cast<std::uint32_t>(wanted));
        found.asleep -= bits_[index].seen[wanted];
        return found;
    }

    /// What is known about some bits; `none` when others have some of them.
    std::uint32_t bits_of(const Stretch& stretch, std::uint32_t values) {
        const auto [known, is_new] = known_.try_emplace({stretch, values}, none);
        if (!is_new) return known->second;
        Bits bits{{stretch.word, stretch.shift, stretch.mask, values, 0}, 0, std::vector<std::uint32_t>(values + 1), {}, 0, {}};
        for (int bit = 0; bit < 64; ++bit)
            if (((stretch.mask << stretch.shift) >> bit) & 1 && owner_[stretch.word * 64u + static_cast<std::uint32_t>(bit)] != none)
                return none;
        for (std::uint32_t p = 0; p < batch_.count; ++p)
            ++bits.seen[std::min<Word>((batch_.state(p)[stretch.word] >> stretch.shift) & stretch.mask, values)];
        bits.quiet = static_cast<Word>(std::max_element(bits.seen.begin(), bits.seen.end() - 1) - bits.seen.begin());
        known->second = static_cast<std::uint32_t>(bits_.size());
        for (int bit = 0; bit < 64; ++bit)
            if (((stretch.mask << stretch.shift) >> bit) & 1) owner_[stretch.word * 64u + static_cast<std::uint32_t>(bit)] = known->second;
        bits_.push_back(std::move(bits));
        return known->second;
    }

    /// Lay out what was found side by side.
    void finish() {
        std::vector<Triggers::Watched> words(static_cast<std::size_t>(program_.schema.layout.words));
        for (Bits& bits : bits_) {
            Triggers::Feature& feature = bits.feature;
            feature.first = static_cast<std::uint32_t>(result_.starts_.size());
            feature.field = bits.field;
            feature.first_expected = static_cast<std::uint32_t>(result_.expected_.size());
            wake_for_unnumbered(bits);
            std::sort(bits.expect.begin(), bits.expect.end());
            result_.expected_.insert(result_.expected_.end(), bits.expect.begin(), bits.expect.end());
            feature.end_expected = static_cast<std::uint32_t>(result_.expected_.size());
            result_.features_.push_back(feature);
            if (bits.wakes.empty() && bits.expect.empty()) continue;
            lay_out(bits);
            Triggers::Watched& watched = words[feature.word];
            watched.mask |= feature.mask << feature.shift;
            watched.quiet |= bits.quiet << feature.shift;
        }
        for (std::uint32_t word = 0; word < words.size(); ++word) {
            words[word].word = word;
            if (words[word].mask) result_.watched_.push_back(words[word]);
        }
        if (result_.watched_.empty()) {
            result_ = Triggers::none(grouping_);
            return;
        }
        result_.owner_ = std::move(owner_);
        result_.schema_ = &program_.schema;
        result_.awake_.resize(result_.always_.size());
    }

    /// Values that somebody has only asked about have no number yet: they may become any that units wait for.
    void wake_for_unnumbered(Bits& bits) {
        if (bits.expect.empty()) return;
        const Numbers& numbers = program_.schema.numbers_of(bits.field);
        for (std::uint32_t value = 0; value < bits.feature.values; ++value)
            for (std::size_t i = 0; numbers[value] == Numbers::none && i < bits.expect.size(); ++i)
                bits.wakes.emplace_back(value, bits.expect[i].second);
    }

    void lay_out(Bits& bits) {
        auto& wakes = bits.wakes;
        std::sort(wakes.begin(), wakes.end());
        wakes.erase(std::unique(wakes.begin(), wakes.end()), wakes.end());
        auto next = wakes.begin();
        for (std::uint32_t value = 0; value <= bits.feature.values; ++value) {
            result_.starts_.push_back(static_cast<std::uint32_t>(result_.woken_.size()));
            for (; next != wakes.end() && next->first == value; ++next) result_.woken_.push_back(next->second);
        }
        result_.starts_.push_back(static_cast<std::uint32_t>(result_.woken_.size()));
    }

    const Program& program_;
    const Grouping& grouping_;
    const Batch& batch_;
    Triggers result_;
    std::vector<Bits> bits_;
    std::vector<std::uint32_t> owner_;
    std::map<std::pair<Stretch, std::uint32_t>, std::uint32_t> known_;
};

Triggers Triggers::none(const Grouping& grouping) {
    Triggers result;
    result.units_ = static_cast<std::uint32_t>(grouping.groups.size() + grouping.others.size());
    return result;
}

Triggers Triggers::of(const Program& program, const Grouping& grouping, const Batch& batch) {
    Triggers none = Triggers::none(grouping);
    return none.units_ < least_units ? none : TriggerSearch(program, grouping, batch).found();
}

void Triggers::wake_expected(const Feature& feature, Word value) {
    const auto begin = expected_.begin() + feature.first_expected, end = expected_.begin() + feature.end_expected;
    const std::int64_t number = schema_->numbers_of(feature.field)[static_cast<Id>(value)];
    const auto before = [](const auto& one, std::int64_t wanted) { return one.first < wanted; };
    const bool is_number = number != Numbers::none;  // else all of them have to find out what that is
    for (auto one = is_number ? std::lower_bound(begin, end, number, before) : begin; one != end && (!is_number || one->first == number);
         ++one)
        awake_[one->second / 64] |= Word{1} << (one->second % 64);
}

std::size_t Triggers::bytes() const {
    return expected_.capacity() * sizeof(expected_[0]) + (always_.capacity() + awake_.capacity()) * sizeof(Word) +
           (owner_.capacity() + starts_.capacity() + woken_.capacity()) * sizeof(std::uint32_t) + features_.capacity() * sizeof(Feature);
}

}  // namespace sweep
