#include "run/ranks/own_members.hpp"

#include "engine/device.hpp"
#include "ranks/agree.hpp"
#include "run/stop.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <fmt/format.h>

namespace pleiad::run::divided {
namespace {

constexpr std::array coordinates{&Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz};

Member member_sent(const Head& head, std::span<const Body> sent, const Outside& outside) {
  Member m;
  m.gravity = {.G = head.G,
               .softening = head.softening,
               .boundary = head.boundary,
               .dimension = int(head.dimension),
               .potentials = outside.potentials,
               .forces = outside.forces};
  m.clock = head.clock;
  m.method = {integrators()[head.integrator], head.dt, head.adaptive != 0, head.eta, head.damping};
  m.method.blocks = head.blocks, m.method.corrector = head.corrector;
  m.state.time = head.clock.time, m.state.step = head.clock.step, m.state.G = head.G;
  m.state.boundary = head.boundary;
  Bodies& b = m.state.bodies;
  b.resize(sent.size());
  resize_kept(b, head.kept);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    set_phase(b, i, sent[i].phase);
    b.mass[i] = sent[i].mass, b.id[i] = sent[i].id;
  }
  return m;
}

}  // namespace

std::uint64_t kept_of(const Bodies& b) { return (b.low.empty() ? 0 : 1) + (b.series.empty() ? 0 : 2); }
void resize_kept(Bodies& b, std::uint64_t kept) {
  b.low.resize((kept & 1) != 0 ? b.size() : 0);
  b.series.resize((kept & 2) != 0 ? b.size() : 0);
}

Phase phase_of(const Bodies& b, std::size_t i) {
  Phase p;
  for (std::size_t c = 0; c < 6; ++c) p.high[c] = (b.*coordinates[c])[i];
  if (!b.low.empty()) p.low = b.low[i];
  if (!b.series.empty()) p.series = b.series[i];
  return p;
}
void set_phase(Bodies& b, std::size_t i, const Phase& p) {
  for (std::size_t c = 0; c < 6; ++c) (b.*coordinates[c])[i] = p.high[c];
  if (!b.low.empty()) b.low[i] = p.low;
  if (!b.series.empty()) b.series[i] = p.series;
}

Head head_of(const Member& m) {
  return {.bodies = m.state.bodies.size(),
          .integrator =
              std::uint64_t(std::ranges::find(integrators(), m.method.integrator) - integrators().begin()),
          .adaptive = m.method.adaptive,
          .kept = kept_of(m.state.bodies),
          .dt = m.method.dt,
          .eta = m.method.eta,
          .damping = m.method.damping,
          .blocks = m.method.blocks,
          .corrector = m.method.corrector,
          .G = m.gravity.G,
          .softening = m.gravity.softening,
          .boundary = m.gravity.boundary,
          .dimension = m.gravity.dimension,
          .clock = m.clock};
}

OwnMembers::OwnMembers(Communicator& t, std::span<const Head> heads, std::span<const Body> bodies,
                       const Outside& outside, const EngineOptions& engine)
    : comm_(t), statuses_(heads.size()) {
  take_gpu_of(t);
  const auto of_all_ranks = ranks::sum(t, heads.size());
  ranks::agree(t, [&] {
    std::vector<Member> members;
    std::size_t at = 0;
    for (const auto& head : heads) {
      members.push_back(member_sent(head, bodies.subspan(at, head.bodies), outside));
      at += head.bodies;
    }
    if (!members.empty()) members_ = make_members(std::move(members), engine, of_all_ranks);
  });
  need_like_devices();
}

Steps OwnMembers::step(const Order& order, const ByRank<MemberStatus>& statuses) {
  statuses_ = from_first(comm_, statuses);
  Stepped mine{.signal = std::uint64_t(SignalWatch::number())};
  ranks::agree(comm_, [&] {
    if (!members_) return;
    members_->limit_steps(order.most_steps);
    mine.reached = members_->run_towards(order.time, order.limit, statuses_);
    mine.interactions = members_->interactions();
  });
  std::vector<Clock> clocks;
  for (std::size_t k = 0; k < statuses_.size(); ++k) clocks.push_back(members_->clock(k));
  return {ranks::all_gather(comm_, mine), ranks::gather_to_root<MemberStatus>(comm_, statuses_),
          ranks::gather_to_root<Clock>(comm_, clocks)};
}

Phases OwnMembers::show() {
  std::vector<std::uint64_t> kept;
  std::vector<Phase> phases;
  for (std::size_t k = 0; k < statuses_.size(); ++k) {
    const auto s = members_->snapshot(k);
    kept.push_back(kept_of(s.bodies));
    for (std::size_t i = 0; i < s.bodies.size(); ++i) phases.push_back(phase_of(s.bodies, i));
  }
  return {ranks::gather_to_root<std::uint64_t>(comm_, kept), ranks::gather_to_root<Phase>(comm_, phases)};
}

ranks::Received<MemberDiagnostics> OwnMembers::diagnose(const ByRank<std::uint64_t>& which) {
  const auto mine = from_first(comm_, which);
  const std::vector<std::size_t> places(mine.begin(), mine.end());
  return ranks::gather_to_root<MemberDiagnostics>(
      comm_, places.empty() ? std::vector<MemberDiagnostics>{} : members_->diagnose(places));
}

/// Other devices or kernels would give other bits. Ranks without systems are alike to all.
void OwnMembers::need_like_devices() const {
  const auto mine = members_ ? describe().device + ", " + describe().kernel() : "";
  const auto all = ranks::all_texts(comm_, mine);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (!all[r].empty() && all[r] != all.front())
      throw ranks::AgreedError(
          Error::Code::unavailable,
          fmt::format("rank 0 computes on {} and rank {} on {}: only devices of one kind give the same bits",
                      all.front(), r, all[r]));
}

}  // namespace pleiad::run::divided
