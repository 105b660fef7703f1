#include "cuda/emulator/emulator.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <ucontext.h>

namespace pleiad::emulator {
namespace {

enum class State { ready, at_block_barrier, at_warp_barrier, at_cluster_barrier, spinning, done };

/// A point to go back to: unlike swapcontext(), __builtin_setjmp() makes no system call, which is most of the
/// time of a block with many barriers.
using Point = std::array<void*, 5>;

/// Runs one thread of a block after another, for ever; between two of them its state is `done`.
struct Fiber {
  ucontext_t context{};  ///< its first context
  std::unique_ptr<unsigned char[]> stack;
  Point here{};
  bool begun = false;
  State state = State::done;
  int phase = 0;
  alignas(8) std::array<std::array<unsigned char, 8>, 2> slots{};
};

constexpr std::size_t stack_bytes = 64 << 10;

/// The state of one block; fibers and their stacks are kept from block to block.
struct Block {
  std::vector<Fiber> fibers;
  std::vector<unsigned char> shared;
  uint3 index;
  std::vector<std::size_t> turns;
  std::vector<bool> polled;  ///< threads that have spun once in the present turn of the block
  bool vote = false;

  unsigned char* shared_memory() {
    const auto at = reinterpret_cast<std::uintptr_t>(shared.data());
    return shared.data() + (16 - at % 16) % 16;
  }
};
std::vector<std::unique_ptr<Block>> blocks;  ///< those that are alive at once

/// The present block and thread.
Block* block = nullptr;
std::size_t running = 0, size = 0, cluster = 1;
Point scheduler{};
const std::function<void()>* thread_function = nullptr;
std::exception_ptr defect;

Fiber& me() { return block->fibers[running]; }

// Apart, and closed to analysis: a function in which both a point and a jump are visible is not compiled as
// one would think.
[[gnu::noipa, gnu::no_sanitize_address]] void jump(Point& to) { __builtin_longjmp(to.data(), 1); }

[[gnu::noipa, gnu::no_sanitize_address]] void suspend(State why) {
  me().state = why;
  if (__builtin_setjmp(me().here.data()) == 0) jump(scheduler);
}

void enter() {
  for (;;) {
    (*thread_function)();
    suspend(State::done);
  }
}

uint3 thread_index(std::size_t t) {
  const auto n = static_cast<unsigned>(t);
  return {n % blockDim.x, n / blockDim.x % blockDim.y, n / (blockDim.x * blockDim.y)};
}

[[gnu::noipa, gnu::no_sanitize_address]] void go_on(Fiber& f) {
  if (__builtin_setjmp(scheduler.data()) != 0) return;
  if (f.begun) jump(f.here);
  f.begun = true;
  setcontext(&f.context);
}

void resume(std::size_t t) {
  running = t;
  threadIdx = thread_index(t);
  go_on(block->fibers[t]);
  if (defect) std::rethrow_exception(std::exchange(defect, nullptr));
}

std::logic_error failure(const std::string& what) {
  return std::logic_error("block (" + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) +
                          "): " + what);
}
[[noreturn]] void fail(const std::string& what) { throw failure(what); }
/// Reports a hang from a running thread: an exception cannot be caught on the stack of a fiber, so the
/// scheduler throws.
void hang(const std::string& what) {
  defect = std::make_exception_ptr(failure(what));
  suspend(State::at_warp_barrier);
}

/// Lets the threads [first, last) of all `members` go on if all of them wait at `barrier`; an error if some
/// wait there and others have ended. Whether they go on.
bool release(std::span<const std::unique_ptr<Block>> members, std::size_t first, std::size_t last,
             State barrier, const char* name) {
  std::size_t waiting = 0, ended = 0, all = 0;
  for (const auto& member : members)
    for (std::size_t t = first; t < last; ++t) {
      waiting += member->fibers[t].state == barrier;
      ended += member->fibers[t].state == State::done;
      ++all;
    }
  if (waiting > 0 && waiting < all && waiting + ended == all)
    fail(std::to_string(waiting) + " threads wait at a " + name + " that " + std::to_string(ended) +
         " threads never reach");
  if (waiting == 0 || waiting < all) return false;
  for (const auto& member : members)
    for (std::size_t t = first; t < last; ++t) member->fibers[t].state = State::ready;
  return true;
}

/// Numbers below n in the chosen order; `seed` distinguishes shuffles.
std::vector<std::size_t> turns(std::size_t n, unsigned seed) {
  std::vector<std::size_t> list(n);
  std::iota(list.begin(), list.end(), std::size_t{0});
  if (order == Order::backward) std::reverse(list.begin(), list.end());
  if (order == Order::shuffled) {
    std::uint64_t state = 0x9E3779B97F4A7C15u + seed;
    for (std::size_t i = n; i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(list[i - 1], list[(state >> 33) % i]);
    }
  }
  return list;
}

void start(Fiber& f) {
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

void start_block(Block& b, uint3 index, std::size_t shared_bytes) {
  if (b.fibers.size() < size) b.fibers.resize(size);
  b.shared.assign(shared_bytes + 16, static_cast<unsigned char>(0xFF));
  b.vote = false;
  b.index = index;
  b.turns = turns(size, index.x);
  b.polled.assign(size, false);
  for (std::size_t t = 0; t < size; ++t) start(b.fibers[t]);
}

/// Result of running a block until it waits for others.
struct Progress {
  bool ran = false;    ///< some thread did more than poll the value that it spins on
  bool spins = false;  ///< some thread does
  bool done = false;
};

/// Runs a block until none of its threads can continue without other blocks.
Progress run_block(std::size_t number) {
  block = blocks[number].get();
  blockIdx = block->index;
  const std::span<const std::unique_ptr<Block>> alone(&blocks[number], 1);
  Progress progress;
  std::fill(block->polled.begin(), block->polled.end(), false);
  for (;;) {
    bool ran = false, outside = false;
    progress.spins = false, progress.done = true;
    for (const auto t : block->turns) {
      auto& state = block->fibers[t].state;
      const bool polls = state == State::spinning && !block->polled[t];
      if (state == State::ready || polls) {
        block->polled[t] = polls;
        resume(t);
        ran = ran || !polls || state != State::spinning;
      }
      progress.spins = progress.spins || state == State::spinning;
      outside = outside || state == State::spinning || state == State::at_cluster_barrier;
      progress.done = progress.done && state == State::done;
    }
    progress.ran = progress.ran || ran;
    if (progress.done) return progress;
    for (std::size_t first = 0; first < size; first += 32)
      ran =
          release(alone, first, std::min(first + 32, size), State::at_warp_barrier, "warp primitive") || ran;
    ran = release(alone, 0, size, State::at_block_barrier, "__syncthreads()") || ran;
    if (ran) continue;
    if (!outside) fail("threads wait at different barriers");
    return progress;
  }
}

/// The first `count` blocks, alive at once, until all are done.
void run_together(std::size_t count) {
  const auto order_of_blocks = turns(count, 0);
  for (;;) {
    bool ran = false, done = true;
    for (const auto number : order_of_blocks) {
      const auto progress = run_block(number);
      ran = ran || progress.ran;
      done = done && progress.done;
    }
    if (done) return;
    for (std::size_t first = 0; first < count; first += cluster)
      ran = release(std::span(blocks).subspan(first, cluster), 0, size, State::at_cluster_barrier,
                    "barrier of the cluster") ||
            ran;
    if (!ran) fail("threads wait for other blocks in vain");
  }
}

}  // namespace

void run_grid(dim3 grid, dim3 threads, std::size_t shared_bytes, const std::function<void()>& thread,
              bool together, unsigned blocks_of_cluster) {
  size = std::size_t{threads.x} * threads.y * threads.z;
  cluster = blocks_of_cluster;
  thread_function = &thread;
  blockDim = threads;
  gridDim = grid;
  const std::size_t all = std::size_t{grid.x} * grid.y * grid.z, alive = together ? all : cluster;
  while (blocks.size() < alive) blocks.push_back(std::make_unique<Block>());
  for (std::size_t first = 0; first < all; first += alive) {
    for (std::size_t b = 0; b < alive; ++b) {
      const auto number = static_cast<unsigned>(first + b);
      start_block(*blocks[b], {number % grid.x, number / grid.x % grid.y, number / (grid.x * grid.y)},
                  shared_bytes);
    }
    run_together(alive);
  }
}

void wait_for_block() { suspend(State::at_block_barrier); }
void wait_for_warp() { suspend(State::at_warp_barrier); }
bool any_in_block(bool mine) {
  // Three barriers: all have voted; all have read; the vote is ready for the next one.
  block->vote = block->vote || mine;
  wait_for_block();
  const bool result = block->vote;
  wait_for_block();
  block->vote = false;
  wait_for_block();
  return result;
}
int lane() { return static_cast<int>(running % 32); }
void* exchange_slot(int lane) {
  const std::size_t t = running / 32 * 32 + static_cast<std::size_t>(lane);
  if (t >= size) {
    hang("a shuffle reads lane " + std::to_string(lane) + ", which this warp does not have");
  }
  return block->fibers[t].slots[static_cast<std::size_t>(me().phase)].data();
}
void end_exchange() { me().phase ^= 1; }
unsigned ballot(bool mine) {
  *static_cast<unsigned char*>(exchange_slot(lane())) = mine;
  wait_for_warp();
  unsigned bits = 0;
  const std::size_t first = running / 32 * 32;
  for (std::size_t l = 0; l < 32 && first + l < size; ++l)
    bits |= unsigned{*static_cast<const unsigned char*>(exchange_slot(static_cast<int>(l)))} << l;
  end_exchange();
  return bits;
}
unsigned char* shared_memory() { return block->shared_memory(); }
void spin() { suspend(State::spinning); }
void wait_for_cluster() { suspend(State::at_cluster_barrier); }
unsigned rank_in_cluster() { return blockIdx.x % cluster; }
unsigned blocks_in_cluster() { return cluster; }
unsigned char* shared_memory_of(unsigned rank) {
  if (rank >= cluster)
    hang("maps the shared memory of block " + std::to_string(rank) + " of its cluster, which has " +
         std::to_string(cluster));
  const std::size_t mine = static_cast<std::size_t>(
      std::find_if(blocks.begin(), blocks.end(), [](const auto& b) { return b.get() == block; }) -
      blocks.begin());
  auto& other = *blocks[mine - mine % cluster + rank];
  if (std::all_of(other.fibers.begin(), other.fibers.begin() + static_cast<std::ptrdiff_t>(size),
                  [](const Fiber& f) { return f.state == State::done; }))
    hang("maps the shared memory of block " + std::to_string(rank) + " of its cluster, which has ended");
  return other.shared_memory();
}

}  // namespace pleiad::emulator
