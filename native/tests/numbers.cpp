// Numbers behind ids, and sums of scalars, against plain arithmetic.
#include <map>

#include "sweep/state/numbers.hpp"
#include "sweep/state/sum.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

void there_and_back() {
    Random random(1);
    Numbers numbers;
    std::map<std::int64_t, Id> known;
    for (int i = 0; i < 3000; ++i) {
        std::int64_t number = random.between(-100, 2000);
        if (random.one_in(3)) number *= 1'000'003;
        if (known.emplace(number, static_cast<Id>(known.size())).second) numbers.set(known.at(number), number);
        check_equal(numbers.find(number), known.at(number));
        const std::int64_t near = number + 1;
        check_equal(numbers.find(near), known.contains(near) ? known.at(near) : Numbers::no_id);
    }
    for (const auto& [number, id] : known) check_equal(numbers[id], number);
    check(numbers.all());
    check_equal(numbers[static_cast<Id>(known.size())], Numbers::none);
    numbers.set(static_cast<Id>(known.size()), Numbers::none);
    check(!numbers.all());
}

std::int64_t value_of(const Sum& sum, const std::vector<std::int64_t>& values) {
    std::int64_t total = sum.constant;
    for (const Sum::Term& term : sum) total += term.coefficient * values[term.field];
    return total;
}

void sums() {
    Random random(2);
    std::vector<std::int64_t> values(20);
    for (std::int64_t& value : values) value = random.between(-1000, 1000);
    int kept = 0, refused = 0;
    for (int i = 0; i < 5000; ++i) {
        Sum sum;
        std::int64_t expected = 0;
        for (std::uint64_t n = random.below(12); n > 0; --n) {
            const auto field = static_cast<std::uint32_t>(random.below(values.size()));
            const std::int64_t constant = random.between(-9, 9), times = random.between(-3, 3);
            const std::optional<Sum> more = sum.plus(Sum::of(field, constant), times);
            if (!more) {
                check_equal(sum.size, static_cast<std::uint32_t>(Sum::most_terms));
                ++refused;
                break;
            }
            sum = *more;
            expected += times * (values[field] + constant);
            ++kept;
        }
        check_equal(value_of(sum, values), expected);
        for (std::uint32_t t = 0; t < sum.size; ++t) {
            check(sum.terms[t].coefficient != 0);
            check(t == 0 || sum.terms[t - 1].field < sum.terms[t].field);
        }
        const std::optional<Sum> nothing = sum.plus(sum, -1);
        check(nothing && nothing->size == 0 && nothing->constant == 0);
    }
    check(kept > 1000 && refused > 10);
    check(!Sum::of(0, Sum::most_constant).plus(Sum::of(1, 1), 1));
    check(!Sum::of(0).times(Sum::most_coefficient + 1));
}

}  // namespace

int main() { return run_all({{"there and back", there_and_back}, {"sums", sums}}); }
