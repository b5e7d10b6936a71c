#include "sweep/state/schema.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "sweep/state/forms.hpp"

namespace sweep {

std::uint32_t Schema::add(Kind kind, bool timed_bag) {
    const std::uint32_t index = static_cast<std::uint32_t>(variables.size());
    variables.emplace_back();
    variables.back().kind = kind;
    variables.back().timed = timed_bag;
    if (kind == Kind::bag && !timed_bag) variables.back().form = Form::counts;  // of nothing, until something is held
    interned.emplace_back();
    met.emplace_back();
    if (timed_bag) timed.push_back(index);
    return index;
}

/// The layout comes from a file: no field may lie outside of states.
void Schema::check_read() {
    const auto lies_inside = [&](const Piece& piece, const Field& field) {
        return piece.width == 0 ||
               (piece.width <= 64 && piece.shift < 64 && piece.word + field.words() <= static_cast<std::size_t>(layout.words));
    };
    bool right = layout.words > 0 && layout.fields.size() == variables.size() && interned.size() == variables.size();
    for (const Field& field : layout.fields)
        right = right && field.per_word && lies_inside(field.low, field) && lies_inside(field.high, field);
    for (const std::size_t variable : interning) right = right && variable < variables.size();
    for (const Variable& variable : variables) right = right && variable.form <= Form::interned;
    if (!right) throw Damaged("a field lies outside of states");
    requests = {};
}

void Schema::add_keys(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(Kind::scalar);
    keys = count;
}

/// How many values a cell of a variable's field tells apart.
std::uint64_t Schema::values_in_cell(std::size_t index) const {
    const Variable& variable = variables[index];
    if (variable.form == Form::interned) return std::max<std::uint64_t>(interned[index].size(), 1);
    return variable.form == Form::counts ? std::uint64_t{variable.most} + 1 : variable.values;
}

namespace {

constexpr std::size_t least_ahead = 384;  // bits for what may come soon, while states are few
constexpr std::size_t wide = 160;         // bits of a state that has room for some more
constexpr std::uint64_t usual_most = 16;  // slots that are left free for what may come

/// How many slots are worth leaving room for: those that were declared, twice as many as are needed, or as many as are usual
/// among the bags and queues that have grown.
std::uint64_t wished_slots(const Variable& variable, std::uint64_t usual) {
    if (variable.kind == Kind::bag && variable.most == 1 && !variable.timed) return 0;  // it may become a set
    const std::uint64_t most = std::min<std::uint64_t>(usual_most, most_inline_bits / std::max(bits_for(variable.values), 1));
    return std::min(variable.capacity ? variable.capacity : std::max(2 * variable.slots, usual), most);
}

/// Cells that span words fill the last of them, and have some more where there are many already. Slots never fill a single word: a token
/// that comes to the last of them, or leaves it, would be shifted by all of a word's bits.
std::uint64_t rounded(std::uint64_t slots, int bits, Form form) {
    const int most = form == Form::counts ? 64 : most_inline_bits;
    if (slots * static_cast<std::uint64_t>(bits) <= static_cast<std::uint64_t>(most)) return slots;
    const std::uint64_t per_word = static_cast<std::uint64_t>(64 / bits);
    return std::max((slots + slots / 8 + per_word - 1) / per_word, std::uint64_t{2}) * per_word;
}

}  // namespace

std::vector<Extent> Schema::extents() const {
    std::vector<Extent> result(variables.size());
    std::uint64_t grown = 0, slots = 0;  // bags and queues that have held several tokens, and how many slots these have
    for (const Variable& variable : variables) {
        if (variable.kind == Kind::scalar || variable.form != Form::slots || variable.slots == 1) continue;
        ++grown;
        slots += variable.slots;
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        result[i].values = values_in_cell(i);
        result[i].tight = variable.tight;
        if (i < steps.size()) result[i].steps = steps[i];
        if (variable.kind == Kind::scalar || variable.form == Form::interned) continue;
        const bool counts = variable.form == Form::counts;
        const std::uint64_t needed = rounded(counts ? variable.cells.size() : variable.slots, bits_for(result[i].values), variable.form);
        result[i].slots = static_cast<int>(needed);
        if (!counts)
            result[i].wished_slots = static_cast<int>(wished_slots(variable, grown ? slots / grown : 1));
        else if (variable.values > 2 && needed)
            result[i].wished_slots = static_cast<int>((needed + 3) / 4 * 4);
        else
            result[i].wished_slots = 1;  // for the first token
    }
    compare(earlier_, result);
    give_ahead(result);
    return result;
}

void Schema::mark_growth(std::uint64_t states) {
    if (states < 2 * latest_.states) return;
    earlier_ = std::exchange(latest_, {states, extents(), forms()});
}

/// What has grown, and what has not. Where a variable lay in another form, or has only begun to change, nothing is known of it.
void Schema::compare(const Mark& earlier, std::vector<Extent>& extents) const {
    for (std::size_t i = 0; i < std::min(extents.size(), earlier.extents.size()); ++i) {
        if (variables[i].form != earlier.forms[i]) continue;
        extents[i].widening = earlier.extents[i].values > 1 && extents[i].values > earlier.extents[i].values;
        extents[i].settled = extents[i].slots > 1 && extents[i].slots <= earlier.extents[i].slots;
    }
}

/// A bit for bags that may soon get their first token. As long as states are few, width costs less than rewriting them over and over: there
/// may be twice as many bits in all. Later a quarter more, where states are wide already.
void Schema::give_ahead(std::vector<Extent>& extents) const {
    std::size_t taken = 0;
    std::vector<std::size_t> soon;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        taken += static_cast<std::size_t>(bits_for(extents[i].values) * extents[i].slots);
        if (variables[i].form == Form::counts && !extents[i].slots && extents[i].steps != Extent::unforeseen) soon.push_back(i);
    }
    std::stable_sort(soon.begin(), soon.end(), [&](std::size_t a, std::size_t b) { return extents[a].steps < extents[b].steps; });
    const std::size_t most = generous ? std::max(taken, least_ahead) : taken < wide ? 0 : taken / 4;
    soon.resize(std::min(soon.size(), most));
    for (const std::size_t i : soon) extents[i].slots = 1;
}

void Schema::set_values(std::size_t index, std::uint64_t values) {
    Variable& variable = variables[index];
    width += static_cast<std::uint64_t>(bits_for(values) - bits_for(variable.values));
    variable.values = values;
    const bool cells_hold_values = variable.kind == Kind::scalar || variable.form == Form::slots;
    if (cells_hold_values && index < layout.fields.size()) ask_values(index, values, requests);
}

void Schema::ask_values(std::size_t variable, std::uint64_t values, Requests& asked) const {
    if (bits_for(values) > layout.fields[variable].bits()) asked.ask_values(variable, values);
}

/// What is known without looking at states.
void Schema::note_held() {
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        variable.most = std::max(variable.most, asked.most);
    }
    for (const Requests::Token& held : requests.tokens) {
        variables[held.variable].cells.add(held.token);
        variables[held.variable].lent = false;
    }
}

bool Schema::has_room(const Requests::Request& asked) const {
    const Variable& variable = variables[asked.variable];
    const Field& field = layout.fields[asked.variable];
    if (variable.form == Form::interned || variable.kind == Kind::scalar) return true;
    return (variable.form == Form::counts ? variable.cells.size() : asked.slots) <= field.slots;
}

/// Give what was asked for without moving anything; false when that cannot be. Fields in two pieces are slower, and only made where
/// rewriting states is dear.
bool Schema::widen(bool dear) {
    if (requests.tidy) return false;
    for (const Requests::Request& asked : requests) {
        const std::uint64_t values = std::max(asked.values, values_in_cell(asked.variable));
        const bool first = dear && variables[asked.variable].cells.size() == 1 && layout.fields[asked.variable].slots == 0;
        if (!has_room(asked) && !(first && layout.widen(asked.variable, values))) return false;
        if (bits_for(values) <= layout.fields[asked.variable].bits()) continue;
        if (!dear || !layout.widen(asked.variable, values)) return false;
    }
    requests.clear();
    return true;
}

bool Schema::has_bags_in_pieces() const {
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (variables[i].kind != Kind::scalar && layout.fields[i].high.width) return true;
    return false;
}

/// Spare room may be in use. `all` has every bit that some state has, and slots are filled from the lowest. Cells that were lent and are
/// empty are taken back: who needs one after all will ask.
void Schema::note_used(const Word* all) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        Variable& variable = variables[i];
        const Field& field = layout.fields[i];
        if (variable.kind == Kind::scalar || variable.form == Form::interned) continue;
        if (variable.form == Form::slots) {
            const std::uint64_t used =
                field.spans() ? occupied(field, all) : static_cast<std::uint32_t>(occupied(field.load(all), field.bits()));
            variable.slots = std::max(variable.slots, used);
        } else {
            bool used = false;
            each_count(variable.cells, field, all, [&](Id, Id count, std::uint32_t) {
                variable.most = std::max(variable.most, count);
                used = true;
            });
            if (variable.lent && !used) variable.cells = {};
            variable.lent = false;
        }
    }
}

namespace {

/// Whether states have to be looked at one by one to know how a bag had best lie: not where it is one number.
bool is_open(const Variable& variable) {
    const bool one_number = variable.form == Form::counts && variable.cells.size() <= 1;
    return variable.kind == Kind::bag && !variable.timed && variable.form != Form::interned && !one_number;
}

}  // namespace

Inspection::Inspection(const Schema& schema) : schema_(&schema), all_(static_cast<std::size_t>(schema.layout.words)) {
    for (const Requests::Request& asked : schema.requests)
        if (is_open(schema.variables[asked.variable])) held_.push_back({asked.variable});
}

void Inspection::look(const Word* state) {
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i] |= state[i];
    for (Held& bag : held_) {
        schema_->contents_of(static_cast<std::uint32_t>(bag.variable), state, contents_);
        const auto [size, most] = measured(Kind::bag, contents_);
        bag.slots = std::max(bag.slots, size);
        bag.most = std::max(bag.most, most);
        for (std::size_t i = 0; i < contents_.size(); i += 2) bag.cells.add(contents_[i]);
    }
}

void Inspection::add(const Inspection& other) {
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i] |= other.all_[i];
    for (std::size_t i = 0; i < held_.size(); ++i) {
        Held& bag = held_[i];
        const Held& more = other.held_[i];
        bag.slots = std::max(bag.slots, more.slots);
        bag.most = std::max(bag.most, more.most);
        for (std::uint32_t cell = 0; cell < more.cells.size(); ++cell) bag.cells.add(more.cells.token(cell));
    }
}

void Schema::note_seen(const Inspection& seen) {
    for (const Inspection::Held& bag : seen.held_) {
        Variable& variable = variables[bag.variable];
        variable.slots = std::max(variable.slots, bag.slots);
        variable.most = std::max(variable.most, bag.most);
        for (std::uint32_t cell = 0; cell < bag.cells.size(); ++cell) variable.cells.add(bag.cells.token(cell));
    }
    note_used(seen.all_.data());
}

/// A bag that holds more and more of tokens that have long been known goes on so, and would get twice the slots: then it had better be
/// counted while there are few states to rewrite.
std::uint64_t Schema::expected_slots(std::size_t index) const {
    const Variable& variable = variables[index];
    const bool known = index < earlier_.forms.size() && earlier_.forms[index] == Form::slots && variable.form == Form::slots &&
                       earlier_.extents[index].values == variable.values;
    return known ? 2 * variable.slots : variable.slots;
}

/// For the variables that have outgrown their fields. Those that span words take their bits from a common allowance: states of
/// very many bags are smaller with numbers of contents.
void Schema::choose_forms() {
    std::uint64_t spanned = 0;
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (layout.fields[i].spans()) spanned += 64 * layout.fields[i].words();
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        if (variable.kind == Kind::scalar) continue;
        variable.slots = std::max(variable.slots, asked.slots);
        if (!is_open(variable) && variable.form == Form::counts) variable.slots = std::max<std::uint64_t>(variable.slots, variable.most);
        if (layout.fields[asked.variable].spans()) spanned -= 64 * layout.fields[asked.variable].words();
        const bool was_interned = variable.form == Form::interned;
        const std::uint64_t left = most_spanned_bits - std::min<std::uint64_t>(spanned, most_spanned_bits);
        variable.form = form_for(variable, variable.slots, expected_slots(asked.variable), left);
        const std::uint64_t bits = variable.form == Form::interned ? 0 : bits_in(variable.form, variable, variable.slots);
        if (bits > 64) spanned += bits;
        if (variable.form == Form::interned && !was_interned) interning.push_back(asked.variable);
    }
}

/// Intern the contents of bags and queues that have outgrown their states.
void Schema::absorb(const std::vector<Form>& were, const Word* state) {
    std::vector<Id> held;
    for (std::size_t i = 0; i < were.size(); ++i) {
        if (variables[i].form != Form::interned || were[i] == Form::interned) continue;
        read_contents({variables[i].kind, were[i], layout.fields[i], variables[i].cells, interned[i]}, state, held);
        interned[i].intern(held);
    }
}

/// Cells that came in any order are sorted when states are rewritten anyway. The result has them as they were.
std::map<std::size_t, Cells> Schema::deal_cells() {
    std::map<std::size_t, Cells> before;
    for (const Requests::Request& asked : requests) {
        Cells& cells = variables[asked.variable].cells;
        if (cells.ascending()) continue;
        before.emplace(asked.variable, cells);
        cells.sort();
    }
    return before;
}

std::vector<Form> Schema::forms() const {
    std::vector<Form> result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) result[i] = variables[i].form;
    return result;
}

void Schema::pack(const Unpacked& unpacked, Word* state) {
    std::fill(state, state + layout.words, 0);
    state[0] = 1;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        const Field& field = layout.fields[i];
        const std::vector<Id>& part = unpacked[i];
        if (is_key(i)) continue;
        if (variable.kind == Kind::scalar)
            field.store(state, part[0]);
        else
            hold(i, part, state);
    }
}

bool Schema::hold(std::size_t index, const std::vector<Id>& contents, Word* state) {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    if (variable.form == Form::interned) {
        const Id id = interned[index].intern(contents);
        ask_values(index, std::uint64_t{id} + 1, requests);
        if (id > low_bits(field.bits())) return false;
        field.store(state, id);
        return true;
    }
    if (!fits(index, contents)) return false;
    write_contents(variable, field, contents, state);
    return true;
}

/// Whether a field of slots or counts has room for contents; if not, it is asked for.
bool Schema::fits(std::size_t index, const std::vector<Id>& part) {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    if (variable.form == Form::slots) {
        const std::uint64_t size = measured(variable.kind, part).size;
        if (size <= field.slots && (size == 0 || field.bits())) return true;
        requests.ask_slots(index, std::min<std::uint64_t>(size, most_spanned_bits + 1));
        return false;
    }
    bool fits = true;
    for (std::size_t i = 0; i < part.size(); i += 2) {
        const std::uint32_t cell = variable.cells.of(part[i]);
        if (cell < field.slots && part[i + 1] <= low_bits(field.bits())) continue;
        requests.ask_count(index, part[i], part[i + 1]);
        fits = false;
    }
    if (!fits) requests.ask_slots(index, std::min<std::uint64_t>(measured(variable.kind, part).size, most_spanned_bits + 1));
    return fits;
}

Unpacked Schema::unpack(const Word* state) const {
    Unpacked result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (is_key(i)) continue;
        if (variables[i].kind == Kind::scalar)
            result[i] = {static_cast<Id>(layout.fields[i].load(state))};
        else
            contents_of(static_cast<std::uint32_t>(i), state, result[i]);
    }
    return result;
}

Transfer::Transfer(Schema& schema, Layout from, std::vector<Form> were, std::map<std::size_t, Cells> dealt)
    : schema_(&schema), from_(std::move(from)), were_(std::move(were)), dealt_(std::move(dealt)) {
    std::map<std::tuple<std::size_t, std::size_t, int>, Word> masks;  // by words and distance: most fields stay side by side
    for (std::size_t i = 0; i < were_.size(); ++i) {
        const bool dealt_anew = were_[i] == Form::counts && dealt_.contains(i);  // slots do not go by cells
        if (schema.variables[i].form != were_[i] || dealt_anew) {
            reformed_.push_back(i);
            continue;
        }
        const Field &source = from_.fields[i], &target = schema.layout.fields[i];
        for (std::uint32_t cell = 0; cell < std::min(source.slots, target.slots); ++cell)
            for (int bit = 0; bit < std::min(source.bits(), target.bits()); ++bit) {
                const auto [word, place] = source.place_of(cell, bit);
                const auto [new_word, new_place] = target.place_of(cell, bit);
                masks[{word, new_word, (new_place - place + 64) % 64}] |= Word{1} << place;
            }
    }
    for (const auto& [move, mask] : masks) moves_.push_back({std::get<0>(move), std::get<1>(move), std::get<2>(move), mask});
}

bool Transfer::may_share() const {
    return std::none_of(reformed_.begin(), reformed_.end(),
                        [this](std::size_t variable) { return schema_->variables[variable].form == Form::interned; });
}

void Transfer::operator()(const Word* old, Word* now) {
    std::fill(now, now + words(), 0);
    now[0] = 1;
    for (const Move& move : moves_) now[move.to] |= std::rotl(old[move.from] & move.mask, move.distance);
    for (const std::size_t variable : reformed_) reform(variable, old, now);
}

void Transfer::reform(std::size_t index, const Word* old, Word* now) {
    const Variable& variable = schema_->variables[index];
    const auto dealt = dealt_.find(index);
    const Cells& cells = dealt == dealt_.end() ? variable.cells : dealt->second;
    read_contents({variable.kind, were_[index], from_.fields[index], cells, schema_->interned[index]}, old, scratch_);
    const Field& target = schema_->layout.fields[index];
    if (variable.form == Form::interned)
        target.store(now, schema_->interned[index].intern(scratch_));
    else
        write_contents(variable, target, scratch_, now);
}

}  // namespace sweep
