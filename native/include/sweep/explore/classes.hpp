#pragma once
#include <cstdint>

#include "sweep/program/resolver.hpp"

namespace sweep {

/// Which class a state is in (paper 3): what the parts of a key come to, by number, in variables of their own. Nobody but tables looks at
/// these: where states are compared, it is by them.
class Classes {
public:
    explicit Classes(Resolver& resolver) : resolver_(resolver), schema_(resolver.program().schema) {}

    bool any() const { return schema_.keys != 0; }
    Width width() const { return schema_.layout.width(); }
    /// Write the class of a state into it. False when the layout is too small.
    bool write(Word* state);
    /// The same if no function has to be asked for it; else false.
    bool write_known(Word* state) const;

    /// A state is in the class of another: what is asked of states must not tell them apart.
    void compare(const Word* known, const Word* met) {
        for (int i = width().compared; i < width().words; ++i)
            if (known[i] != met[i]) return compare_answers(known, met);
    }

private:
    std::uint32_t field(std::size_t part) const { return static_cast<std::uint32_t>(schema_.variables.size() - schema_.keys + part); }
    void compare_answers(const Word* known, const Word* met);

    Resolver& resolver_;
    Schema& schema_;
};

}  // namespace sweep
