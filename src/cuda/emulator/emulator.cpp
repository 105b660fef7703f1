#include "cuda/emulator/emulator.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <ucontext.h>

namespace pleiad::emulator {
namespace {

enum class State { ready, at_block_barrier, at_warp_barrier, done };

/// A point to go back to: unlike swapcontext(), __builtin_setjmp() makes no system call, which is most of the
/// time of a block with many barriers.
using Point = std::array<void*, 5>;

/// Runs one thread of a block after another, for ever; between two of them its state is `done`.
struct Fiber {
  ucontext_t context{};  ///< where it begins
  std::unique_ptr<unsigned char[]> stack;
  Point here{};
  bool begun = false;
  State state = State::done;
  int phase = 0;
  alignas(8) std::array<std::array<unsigned char, 8>, 2> slots{};
};

constexpr std::size_t stack_bytes = 64 << 10;

/// The block that runs; fibers and their stacks are kept from block to block.
struct Block {
  std::vector<Fiber> fibers;
  std::vector<unsigned char> shared;
  Point scheduler{};
  const std::function<void()>* thread = nullptr;
  std::exception_ptr failure;
  std::size_t size = 0, running = 0;
  bool vote = false;
};
Block block;

Fiber& me() { return block.fibers[block.running]; }

// Apart, and closed to analysis: a function in which both a point and a jump are visible is not compiled as
// one would think.
[[gnu::noipa, gnu::no_sanitize_address]] void jump(Point& to) { __builtin_longjmp(to.data(), 1); }

[[gnu::noipa, gnu::no_sanitize_address]] void suspend(State why) {
  me().state = why;
  if (__builtin_setjmp(me().here.data()) == 0) jump(block.scheduler);
}

void enter() {
  for (;;) {
    (*block.thread)();
    suspend(State::done);
  }
}

uint3 thread_index(std::size_t t) {
  const auto n = static_cast<unsigned>(t);
  return {n % blockDim.x, n / blockDim.x % blockDim.y, n / (blockDim.x * blockDim.y)};
}

[[gnu::noipa, gnu::no_sanitize_address]] void go_on(Fiber& f) {
  if (__builtin_setjmp(block.scheduler.data()) != 0) return;
  if (f.begun) jump(f.here);
  f.begun = true;
  setcontext(&f.context);
}

void resume(std::size_t t) {
  block.running = t;
  threadIdx = thread_index(t);
  go_on(block.fibers[t]);
  if (block.failure) std::rethrow_exception(std::exchange(block.failure, nullptr));
}

std::logic_error failure(const std::string& what) {
  return std::logic_error("block (" + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) +
                          "): " + what);
}
[[noreturn]] void fail(const std::string& what) { throw failure(what); }

/// Lets the threads [first, last) go on if all of them wait at `barrier`; an error if some wait there and
/// others have ended.
void release(std::size_t first, std::size_t last, State barrier, const char* name) {
  std::size_t waiting = 0, ended = 0;
  for (std::size_t t = first; t < last; ++t) {
    waiting += block.fibers[t].state == barrier;
    ended += block.fibers[t].state == State::done;
  }
  if (waiting == last - first)
    for (std::size_t t = first; t < last; ++t) block.fibers[t].state = State::ready;
  else if (waiting > 0 && waiting + ended == last - first)
    fail(std::to_string(waiting) + " threads wait at a " + name + " that " + std::to_string(ended) +
         " threads never reach");
}

std::vector<std::size_t> turns(std::size_t n) {
  std::vector<std::size_t> list(n);
  std::iota(list.begin(), list.end(), std::size_t{0});
  if (order == Order::backward) std::reverse(list.begin(), list.end());
  if (order == Order::shuffled) {
    std::uint64_t state = 0x9E3779B97F4A7C15u + blockIdx.x;
    for (std::size_t i = n; i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(list[i - 1], list[(state >> 33) % i]);
    }
  }
  return list;
}

void start(std::size_t t) {
  Fiber& f = block.fibers[t];
  f.phase = 0;
  // One that hangs in a block that failed begins anew.
  if (!f.begun || f.state != State::done) {
    f.stack = std::make_unique<unsigned char[]>(stack_bytes);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, enter, 0);
    f.begun = false;
  }
  f.state = State::ready;
}

void run_block() {
  std::fill(block.shared.begin(), block.shared.end(), static_cast<unsigned char>(0xFF));
  block.vote = false;
  for (std::size_t t = 0; t < block.size; ++t) start(t);
  const auto list = turns(block.size);
  for (;;) {
    bool ran = false, all_done = true;
    for (const auto t : list) {
      if (block.fibers[t].state == State::ready) ran = true, resume(t);
      all_done = all_done && block.fibers[t].state == State::done;
    }
    if (all_done) return;
    for (std::size_t first = 0; first < block.size; first += 32)
      release(first, std::min(first + 32, block.size), State::at_warp_barrier, "warp primitive");
    release(0, block.size, State::at_block_barrier, "__syncthreads()");
    if (!ran) fail("threads wait at different barriers");
  }
}

}  // namespace

void run_grid(dim3 grid, dim3 size, std::size_t shared_bytes, const std::function<void()>& thread) {
  block.size = std::size_t{size.x} * size.y * size.z;
  if (block.fibers.size() < block.size) block.fibers.resize(block.size);
  block.shared.resize(shared_bytes + 16);
  block.thread = &thread;
  blockDim = size;
  gridDim = grid;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) run_block();
}

void wait_for_block() { suspend(State::at_block_barrier); }
void wait_for_warp() { suspend(State::at_warp_barrier); }
bool any_in_block(bool mine) {
  // Three barriers: all have voted; all have read; the vote is ready for the next one.
  block.vote = block.vote || mine;
  wait_for_block();
  const bool result = block.vote;
  wait_for_block();
  block.vote = false;
  wait_for_block();
  return result;
}
int lane() { return static_cast<int>(block.running % 32); }
void* exchange_slot(int lane) {
  const std::size_t t = block.running / 32 * 32 + static_cast<std::size_t>(lane);
  if (t >= block.size) {
    // Not thrown here: nobody above would catch it on the stack of a fiber.
    block.failure = std::make_exception_ptr(
        failure("a shuffle reads lane " + std::to_string(lane) + ", which this warp does not have"));
    suspend(State::at_warp_barrier);
  }
  return block.fibers[t].slots[static_cast<std::size_t>(me().phase)].data();
}
void end_exchange() { me().phase ^= 1; }
unsigned char* shared_memory() {
  const auto at = reinterpret_cast<std::uintptr_t>(block.shared.data());
  return block.shared.data() + (16 - at % 16) % 16;
}

}  // namespace pleiad::emulator
