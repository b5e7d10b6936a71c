#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// What the unit tests need: checks that throw, random numbers that are the same on every run, and a list of tests.
namespace sweep::testing {

using Line = std::source_location;

[[noreturn]] inline void fail(const std::string& what, const Line& at) {
    std::ostringstream text;
    text << at.file_name() << ':' << at.line() << ": " << what;
    throw std::runtime_error(text.str());
}

inline void check(bool held, const Line& at = Line::current()) {
    if (!held) fail("check failed", at);
}

template <class Found, class Expected>
void check_equal(const Found& found, const Expected& expected, const Line& at = Line::current()) {
    if (found == expected) return;
    std::ostringstream text;
    if constexpr (requires { text << found << expected; })
        text << "found " << found << ", expected " << expected;
    else
        text << "different values";
    fail(text.str(), at);
}

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t any() { return engine_(); }
    std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
    int between(int low, int high) { return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1)); }
    bool one_in(std::uint64_t count) { return below(count) == 0; }
    template <class Item>
    const Item& of(const std::vector<Item>& items) {
        return items[below(items.size())];
    }

private:
    std::mt19937_64 engine_;
};

/// How many cases to draw: SWEEPCHECK_EXAMPLES times as many as usual.
inline std::uint64_t examples(std::uint64_t usual) {
    const char* times = std::getenv("SWEEPCHECK_EXAMPLES");
    return times ? usual * std::stoull(times) : usual;
}

using Tests = std::vector<std::pair<const char*, void (*)()>>;

/// Run tests one after the other; the exit code of the program.
inline int run_all(const Tests& tests) {
    int failed = 0;
    for (const auto& [name, test] : tests) {
        try {
            test();
            std::printf("ok      %s\n", name);
        } catch (const std::exception& error) {
            std::printf("FAILED  %s\n        %s\n", name, error.what());
            ++failed;
        }
        std::fflush(stdout);
    }
    return failed ? 1 : 0;
}

}  // namespace sweep::testing
