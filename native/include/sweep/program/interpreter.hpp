#pragma once

namespace sweep {

/// Whoever runs functions that can only run while something is held, which others may be waiting for. Each takes hold of it by itself; who
/// is about to have many of them run does so once for all of them.
class Interpreter {
public:
    virtual ~Interpreter() = default;
    virtual void take_hold() = 0;
    virtual void let_go() = 0;

    class Hold {
    public:
        explicit Hold(Interpreter* of) : of_(of) {
            if (of_) of_->take_hold();
        }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        ~Hold() {
            if (of_) of_->let_go();
        }

    private:
        Interpreter* of_;
    };
};

}  // namespace sweep
