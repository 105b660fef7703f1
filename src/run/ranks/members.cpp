#include "run/ranks/members.hpp"

#include "core/threads.hpp"
#include "ranks/agree.hpp"
#include "run/ranks/own_members.hpp"
#include "run/ranks/watchdog.hpp"
#include "run/stop.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

using namespace divided;

/// Settings that all ranks need, in addition to the systems.
struct Terms {
  Precision precision{};
  std::int64_t threads = 0;
  double hang_seconds = 0;
};

Order broadcast(Communicator& t, Order order = {}) {
  ranks::begin_broadcast<Order>(t, std::span(&order, 1), 0)();
  return order;
}

/// Options of rank 0 on every rank.
EngineOptions engine_of_first(Communicator& t, const EngineOptions& engine, Terms& terms) {
  ranks::begin_broadcast<Terms>(t, std::span(&terms, 1), 0)();
  EngineOptions all = engine;
  all.precision = terms.precision, all.threads = int(terms.threads), all.gpus = 1;
  all.backend = ranks::all_texts(t, engine.backend).front();
  all.method = force_method_of(ranks::all_texts(t, text_of(engine.method)).front());
  return all;
}

/// External potentials and added forces of all systems, which rank 0 has.
Outside outside_of_first(Communicator& t, std::span<const Member> members) {
  const bool any = !members.empty();
  const auto potentials = any ? lines_of(members.front().gravity.potentials) : "",
             forces = any ? lines_of(members.front().gravity.forces) : "";
  return {potentials_of_lines(ranks::all_texts(t, potentials).front()),
          added_forces_of_lines(ranks::all_texts(t, forces).front())};
}

/// The description of all ranks together; `own`: that of this rank.
EngineDescription describe_all(Communicator& t, EngineDescription own) {
  struct Size {
    std::uint64_t bytes;
    double interactions;
  };
  const auto sizes = ranks::all_gather(t, Size{own.bytes, own.interactions_per_evaluation});
  own.bytes = 0, own.interactions_per_evaluation = 0;
  for (const auto& [bytes, interactions] : sizes) {
    own.bytes += bytes;
    own.interactions_per_evaluation += interactions;
  }
  own.why += fmt::format("; {} ranks share the systems", t.ranks());
  return own;
}

class DividedMembers final : public Members {
  /// A failure on one rank is one on all: no further order follows.
  template <class Work>
  auto carried_out(const Work& work) {
    try {
      return work();
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

 public:
  DividedMembers(Communicator& t, std::vector<Member> members, const EngineOptions& engine,
                 double hang_seconds)
      : comm_(t), watchdog_(hang_seconds, t.rank()), members_(std::move(members)) {
    ranks::agree(t, [] {});  // if rank 0 fails earlier, the others receive its error there
    Terms terms{engine.precision, engine.threads, hang_seconds};
    const auto alike = engine_of_first(t, engine, terms);
    const auto outside = outside_of_first(t, members_);
    ByRank<Head> heads{std::size_t(t.ranks())};
    ByRank<Body> bodies{std::size_t(t.ranks())};
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const auto r = std::size_t(rank_of(k, t));
      const auto& b = members_[k].state.bodies;
      heads[r].push_back(head_of(members_[k]));
      for (std::size_t i = 0; i < b.size(); ++i) bodies[r].push_back({phase_of(b, i), b.mass[i], b.id[i]});
    }
    const auto own_heads = from_first(t, heads);
    const auto own_bodies = from_first(t, bodies);
    own_.emplace(t, own_heads, own_bodies, outside, alike);
    description_ = describe_all(t, own_->describe());
  }
  ~DividedMembers() override {
    if (failed_) return;
    try {
      broadcast(comm_, {.task = Task::end});
    } catch (const std::exception&) {
      // The others are gone.
    }
  }

  bool run_towards(double time, std::uint64_t limit, std::span<MemberStatus> statuses) override {
    watchdog_.alive();
    const Order order{Task::step, time, limit, most_steps()};
    ByRank<MemberStatus> sent{std::size_t(comm_.ranks())};
    for (std::size_t k = 0; k < statuses.size(); ++k)
      sent[std::size_t(rank_of(k, comm_))].push_back(statuses[k]);
    shown_ = false;
    return carried_out([&] {
      broadcast(comm_, order);
      const auto done = own_->step(order, sent);
      for (std::size_t k = 0; k < statuses.size(); ++k) {
        const auto r = rank_of(k, comm_);
        const auto place = place_of(k, comm_);
        statuses[k] = done.statuses.of(r)[place], members_[k].clock = done.clocks.of(r)[place];
      }
      interactions_ = 0;
      bool reached = true;
      for (const auto& one : done.ranks) {
        interactions_ += one.interactions;
        reached &= one.reached != 0;
        if (one.signal != 0) SignalWatch::pass_on(int(one.signal));
      }
      return reached;
    });
  }
  const Gravity& gravity(std::size_t k) const override { return members_.at(k).gravity; }
  const Method& method(std::size_t k) const override { return members_.at(k).method; }
  const Clock& clock(std::size_t k) const override { return members_.at(k).clock; }
  Snapshot snapshot(std::size_t k) override {
    if (!shown_) show();
    Snapshot s = members_.at(k).state;
    s.time = members_[k].clock.time, s.step = members_[k].clock.step;
    return s;
  }
  std::vector<MemberDiagnostics> diagnose(std::span<const std::size_t> which) override {
    watchdog_.alive();
    ByRank<std::uint64_t> places{std::size_t(comm_.ranks())};
    for (const auto k : which) places[std::size_t(rank_of(k, comm_))].push_back(place_of(k, comm_));
    return carried_out([&] {
      broadcast(comm_, {.task = Task::diagnose});
      const auto found = own_->diagnose(places);
      std::vector<std::size_t> next(std::size_t(comm_.ranks()));
      std::vector<MemberDiagnostics> all;
      for (const auto k : which) {
        const int r = rank_of(k, comm_);
        all.push_back(found.of(r)[next[std::size_t(r)]++]);
      }
      return all;
    });
  }
  EngineDescription describe() const override { return description_; }
  double interactions() const override { return interactions_; }

 private:
  void show() {
    watchdog_.alive();
    const auto phases = carried_out([&] {
      broadcast(comm_, {.task = Task::show});
      return own_->show();
    });
    std::vector<std::size_t> next(std::size_t(comm_.ranks()));
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const int r = rank_of(k, comm_);
      Bodies& b = members_[k].state.bodies;
      resize_kept(b, phases.kept.of(r)[place_of(k, comm_)]);
      for (std::size_t i = 0; i < b.size(); ++i) set_phase(b, i, phases.bodies.of(r)[next[std::size_t(r)]++]);
    }
    shown_ = true;
  }

  Communicator& comm_;
  Watchdog watchdog_;
  std::vector<Member> members_;  ///< all, as they were when they were shown last
  std::optional<OwnMembers> own_;
  EngineDescription description_;
  double interactions_ = 0;
  bool shown_ = false;  ///< an engine in single precision rounds its input
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Members> make_divided_members(Communicator& comm, std::vector<Member> members,
                                              const EngineOptions& engine, double hang_seconds) {
  return std::make_unique<DividedMembers>(comm, std::move(members), engine, hang_seconds);
}

void follow(Communicator& t) {
  ranks::agree(t, [] {});
  Terms terms;
  const auto engine = engine_of_first(t, {}, terms);
  const auto outside = outside_of_first(t, {});
  set_threads(engine.threads);
  const SignalWatch signals;
  Watchdog watchdog(terms.hang_seconds, t.rank());
  const auto heads = from_first<Head>(t);
  const auto bodies = from_first<Body>(t);
  OwnMembers own(t, heads, bodies, outside, engine);
  describe_all(t, own.describe());
  for (;;) {
    const Order order = broadcast(t);
    watchdog.alive();
    switch (order.task) {
      case Task::step:
        own.step(order);
        break;
      case Task::show:
        own.show();
        break;
      case Task::diagnose:
        own.diagnose();
        break;
      case Task::end:
        return;
    }
  }
}

}  // namespace pleiad::run
