#pragma once
#include <functional>
#include <utility>

#include "sweep/program/resolver.hpp"

namespace sweep {

/// While others read the program, whoever is about to change it has them end; and so does whatever ends this.
class Halting {
public:
    Halting(Resolver& resolver, std::function<void()> halt) : resolver_(resolver) { resolver_.before_change = std::move(halt); }
    Halting(const Halting&) = delete;
    Halting& operator=(const Halting&) = delete;
    ~Halting() { std::exchange(resolver_.before_change, nullptr)(); }

private:
    Resolver& resolver_;
};

}  // namespace sweep
