#include "engine/host_blocks.hpp"

#include "core/threads.hpp"
#include "cpu/pair_clocks.hpp"
#include "cpu/update.hpp"
#include "engine/particle_forces.hpp"
#include "engine/softenings.hpp"
#include "ranks/gather.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad {
namespace {

/// Sets of fewer bodies are faster by direct sums than by a tree of usual accuracy, on one core and on many.
constexpr std::size_t worth_a_tree = 2048;

}  // namespace

template <class P>
HostBlocks<P>::HostBlocks(Engine engine) : engine_(std::move(engine)) {}

template <class P>
std::size_t HostBlocks<P>::on_all_ranks(std::size_t own) const {
  if (!on_ranks()) return own;
  return ranks::sum(engine_.all.comm(), own);
}

/// A step of all costs t(n) for each half. With a part q, one costs t(n), and the part thrice t(q n) where it
/// changes with each step: its accelerations serve both of its steps in the middle. Trees have t(n) = n,
/// direct sums n^2.
template <class P>
double HostBlocks<P>::most_split() const {
  return engine_.method.tree ? 1.0 / 3 : 0.57735026918962576;
}

template <class P>
std::span<const Mass<typename P::Position>> HostBlocks<P>::share_of(Set& s) const {
  if (!on_ranks()) return s.x;
  s.of_all = s.part.of_massive([&](std::size_t i) { return engine_.x[i]; });
  return s.part.template share<Mass<Real>>(s.of_all);
}

template <class P>
void HostBlocks<P>::set_members(std::size_t set, std::span<const std::uint32_t> members,
                                std::size_t deciding) {
  if (sets_.size() < set) sets_.emplace_back(std::make_unique<Set>());
  auto& s = *sets_[set - 1];
  s.members = members;
  s.bodies = double(on_all_ranks(members.size())), s.deciding = double(deciding);
  s.x.resize(members.size()), s.sums.resize(members.size());
  make_solver(s, deciding);
}

template <class P>
void HostBlocks<P>::make_solver(Set& s, std::size_t deciding) {
  const auto& gravity = engine_.gravity;
  const bool plain = gravity.softening.plain();
  const bool small =
      engine_.method.tree && deciding < worth_a_tree && plain && !gravity.boundary.all_images();
  const bool any_bodies = !on_ranks() && plain && !engine_.has_particles;
  if (any_bodies && s.solver && s.small == small) return;
  s.solver.reset();
  s.small = small;
  const auto method =
      small ? choose_direct_kernel(worth_a_tree, Precision::f64, gravity).method : engine_.method;
  if (on_ranks()) {
    marks_.resize(engine_.x.size());
    for (const auto i : s.members) marks_[i] = 1;
    s.part = TestParticles(engine_.all, marks_.size(), [&](std::size_t i) { return marks_[i] != 0; });
    for (const auto i : s.members) marks_[i] = 0;
    s.among = s.part.among_massive();
  } else {
    s.among = ranks::Collective(engine_.all.comm(), s.members.size());
  }
  if (!plain) {
    const auto eps = [&](std::size_t i) { return engine_.eps[i]; };
    if (on_ranks()) {
      const auto of_all = s.part.of_massive(eps);
      const auto share = s.part.template share<double>(of_all);
      s.eps.assign(share.begin(), share.end());
    } else {
      s.eps.resize(s.members.size());
      std::ranges::transform(s.members, s.eps.begin(), eps);
    }
    s.solver = make_softened_solver<P>(method, gravity, s.among, s.eps);
    return;
  }
  if (engine_.has_particles) {
    gather(s);
    const auto share = share_of(s);
    s.particles = TestParticles(s.among, share.size(), [&](std::size_t k) { return share[k].m > 0; });
  }
  s.solver = s.particles.any() ? make_particle_solver<P>(method, gravity, s.among, s.particles)
                               : make_host_solver<P>(method, gravity, s.among);
}

template <class P>
void HostBlocks<P>::gather(Set& s) {
  for_each_index(s.members.size(), [&](std::size_t k) { s.x[k] = engine_.x[s.members[k]]; });
}

template <class P>
void HostBlocks<P>::evaluate(std::size_t set, double time, bool last) {
  if (set == 0) return engine_.evaluate(time, last);
  auto& s = *sets_[set - 1];
  gather(s);
  const auto share = share_of(s);
  auto& sums = on_ranks() ? s.of_share : s.sums;
  sums.resize(share.size());
  s.solver->evaluate({.targets = share,
                      .sources = share,
                      .sums = sums,
                      .softening = engine_.gravity.softening,
                      .boundary = engine_.gravity.boundary,
                      .self = 0,
                      .potential = false});
  if (on_ranks()) {
    const auto all = ranks::all_gather<Sum>(engine_.all.comm(), std::span<const Sum>(sums)).data;
    std::copy_n(all.begin() + std::ptrdiff_t(s.part.before()), s.members.size(), s.sums.begin());
  }
  for (auto& term : engine_.terms)
    term->add({.time = time, .G = engine_.gravity.G, .bodies = s.x, .sums = s.sums});
  const auto work = s.solver->work();
  const bool tree = engine_.method.tree && !s.small;
  count(tree ? work.pairs + work.cell_pairs : s.bodies * s.deciding);
  engine_.evaluated();
}

template <class P>
void HostBlocks<P>::find_steps(std::size_t set, const BlockSteps& blocks, double eta,
                               std::span<double> steps) {
  const auto& gravity = engine_.gravity;
  if (blocks.by_pairs(gravity.softening.eps)) return find_pair_steps(set, eta, steps, 1);
  const bool each = !gravity.softening.plain();
  const std::span<const Sum> sums = set == 0 ? engine_.sums : sets_[set - 1]->sums;
  for_each_index(steps.size(), [&](std::size_t k) {
    const auto& s = sums[k];
    const double a = gravity.G * norm(Vec3<double>{double(s.x), double(s.y), double(s.z)});
    const double eps = each ? engine_.eps[set == 0 ? k : sets_[set - 1]->members[k]] : gravity.softening.eps;
    steps[k] = std::sqrt(2 * eta * eps / a);
  });
}

template <class P>
void HostBlocks<P>::find_steps_back(std::size_t set, const BlockSteps& blocks, double eta,
                                    std::span<double> steps) {
  if (blocks.by_pairs(engine_.gravity.softening.eps)) find_pair_steps(set, eta, steps, -1);
  else find_steps(set, blocks, eta, steps);
}

template <class P>
void HostBlocks<P>::keep(std::size_t set, int level) {
  if (kept_.size() <= std::size_t(level)) kept_.resize(std::size_t(level) + 1);
  auto& kept = kept_[std::size_t(level)];
  const auto sums = sums_of(set);
  kept.sums.assign(sums.begin(), sums.end());
  if (set == 0) {
    kept.x = engine_.x, kept.v = engine_.v;
    return;
  }
  const auto members = sets_[set - 1]->members;
  kept.x.resize(members.size()), kept.v.resize(members.size());
  for_each_index(members.size(), [&](std::size_t k) {
    kept.x[k] = engine_.x[members[k]], kept.v[k] = engine_.v[members[k]];
  });
}

template <class P>
void HostBlocks<P>::go_back(std::size_t set, int level) {
  const auto& kept = kept_[std::size_t(level)];
  engine_.begin(), engine_.moved();
  std::ranges::copy(kept.sums, sums_of(set).begin());
  if (set == 0) {
    engine_.x = kept.x, engine_.v = kept.v;
    return;
  }
  const auto members = sets_[set - 1]->members;
  for_each_index(members.size(), [&](std::size_t k) {
    engine_.x[members[k]] = kept.x[k], engine_.v[members[k]] = kept.v[k];
  });
}

template <class P>
void HostBlocks<P>::find_pair_steps(std::size_t set, double eta, std::span<double> steps, double sign) {
  std::vector<cpu::PairMember> own(steps.size());
  const auto place = [&](std::size_t k) -> std::size_t { return set == 0 ? k : sets_[set - 1]->members[k]; };
  for_each_index(own.size(), [&](std::size_t k) {
    const auto& x = engine_.x[place(k)];
    const auto& v = engine_.v[place(k)];
    own[k] = {{double(x.x), double(x.y), double(x.z)},
              {sign * double(v.x), sign * double(v.y), sign * double(v.z)},
              double(x.m)};
  });
  std::vector<cpu::PairMember> others;
  std::span<const cpu::PairMember> all = own;
  std::size_t before = 0;
  if (on_ranks()) {
    auto received =
        ranks::all_gather<cpu::PairMember>(engine_.all.comm(), std::span<const cpu::PairMember>(own));
    before = set == 0 ? engine_.all.first() : sets_[set - 1]->part.before();
    others = std::move(received.data);
    all = others;
  }
  std::vector<std::uint32_t> partners(own.size());
  cpu::find_partners(all, before, engine_.gravity, engine_.particles_follow, partners);
  for_each_index(own.size(), [&](std::size_t k) {
    steps[k] = partners[k] == cpu::no_partner
                   ? std::numeric_limits<double>::infinity()
                   : 1 / cpu::rate_of_pair(own[k], all[partners[k]], engine_.gravity, eta);
  });
}

template <class P>
void HostBlocks<P>::kick(std::size_t set, double length) {
  const auto h = Real(length);
  if (set == 0) return cpu::kick<Real>(engine_.v, engine_.sums, h);
  const auto& s = *sets_[set - 1];
  for_each_index(s.members.size(), [&](std::size_t k) {
    auto& v = engine_.v[s.members[k]];
    const auto& a = s.sums[k];
    v = {v.x + h * a.x, v.y + h * a.y, v.z + h * a.z, 0};
  });
}

template <class P>
void HostBlocks<P>::drift(std::span<const std::uint32_t> bodies, double length) {
  const auto h = Real(length);
  const auto& boundary = engine_.gravity.boundary;
  engine_.moved();
  if (bodies.size() == engine_.x.size()) {
    cpu::drift<Real>(engine_.x, engine_.v, h);
    if (boundary.periodic) cpu::wrap<Real>(engine_.x, boundary);
    return;
  }
  for_each_index(bodies.size(), [&](std::size_t k) {
    auto& x = engine_.x[bodies[k]];
    const auto& v = engine_.v[bodies[k]];
    x = {x.x + h * v.x, x.y + h * v.y, x.z + h * v.z, x.m};
    if (boundary.periodic) cpu::wrap<Real>(std::span(&x, 1), boundary);
  });
}

template class HostBlocks<F32>;
template class HostBlocks<F64>;
template class HostBlocks<Mixed>;

}  // namespace pleiad
