#include "sweep/state/forms.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr int small_set = 16;  // bits: a set of so few is made early, when few states have to be rewritten for it

}  // namespace

void packed_to_contents(const Variable& variable, const Contents& interned, Form form, Word raw, int bits, std::vector<Id>& contents) {
    const Kind kind = variable.kind;
    contents.clear();
    if (form == Form::interned) {
        contents = interned[static_cast<Id>(raw)];
        return;
    }
    if (form == Form::set) {
        for (; raw; raw ^= member(highest_member(raw))) contents.insert(contents.end(), {highest_member(raw), 1});
        return;
    }
    for (; raw; raw >>= bits) {
        const Id id = static_cast<Id>(raw & low_bits(bits));
        if (kind == Kind::queue)
            contents.push_back(id);
        else if (!contents.empty() && contents[contents.size() - 2] == id)
            ++contents.back();
        else
            contents.insert(contents.end(), {id, 1});
    }
}

Word contents_to_packed(Kind kind, Form form, const std::vector<Id>& contents, int bits) {
    const bool bag = kind == Kind::bag;
    Word raw = 0;
    int at = 0;
    for (std::size_t j = 0; j < contents.size(); j += bag ? 2 : 1) {
        if (form == Form::set)
            raw |= member(contents[j]);
        else
            for (Id n = 0; n < (bag ? contents[j + 1] : 1); ++n, at += bits) raw |= Word{contents[j]} << at;
    }
    return raw;
}

std::pair<std::uint64_t, bool> measured(Kind kind, const std::vector<Id>& contents) {
    if (kind != Kind::bag) return {contents.size(), false};
    std::uint64_t size = 0;
    bool repeated = false;
    for (std::size_t j = 1; j < contents.size(); j += 2) {
        size += contents[j];
        repeated |= contents[j] > 1;
    }
    return {size, repeated};
}

/// Bags of many different tokens take fewest bits as sets, as long as no token is there twice; sets are faster, too.
Form form_for(const Variable& variable, int slots) {
    if (variable.kind == Kind::scalar || variable.form == Form::interned) return variable.form;
    const int bits = slots * bits_for(variable.values);
    const std::uint64_t most_members = static_cast<std::uint64_t>(std::clamp(bits, small_set, most_inline_bits));
    const bool may_be_set = variable.kind == Kind::bag && !variable.timed && !variable.repeated;
    if (may_be_set && slots > 1 && variable.values <= most_members + 1) return Form::set;
    return slots > most_slots || bits > most_inline_bits ? Form::interned : Form::slots;
}

}  // namespace sweep
