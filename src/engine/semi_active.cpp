#include "engine/semi_active.hpp"

#include "core/threads.hpp"
#include "engine/massive_sums.hpp"
#include "engine/moving.hpp"
#include "engine/particle_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pleiad {
namespace {

/// Bodies that pull all others, whose sums over semi-active bodies are found at once.
constexpr std::size_t targets_at_once = cpu::most_rows;

/// Sums over the semi-active bodies of all ranks, for each of `massive` bodies: add(block, first, sums) adds
/// those of a block of this rank to the sums of the massive bodies from `first`. Collective.
template <class V, class Add>
std::vector<V> sums_over(const ranks::Collective& all, const SemiActiveBodies& semi_active,
                         std::size_t massive, const Add& add) {
  const auto blocks = semi_active.blocks();
  std::vector<V> sums(massive);
  for (std::size_t first = 0; first < massive; first += targets_at_once) {
    const std::size_t count = std::min(targets_at_once, massive - first);
    std::vector<V> own(blocks.size() * count);
    parallel_for(blocks.size(), [&](std::size_t b) {
      const OnThisThread alone;
      if (!blocks[b].empty()) add(blocks[b], first, std::span(own).subspan(b * count, count));
    });
    const auto found = ranks::all_gather<V>(all.comm(), std::span<const V>(own)).data;
    for_each_index(
        count,
        [&](std::size_t k) {
          std::vector<V> of_blocks(found.size() / count);
          for (std::size_t b = 0; b < of_blocks.size(); ++b) of_blocks[b] = found[b * count + k];
          sums[first + k] = tree_sum(std::move(of_blocks));
        },
        64);
  }
  return sums;
}

/// A sum of pulls and potentials.
struct Pulls {
  Vec4<double> of{};
  Pulls& operator+=(const Pulls& o) {
    of = {of.x + o.of.x, of.y + o.of.y, of.z + o.of.z, of.w + o.of.w};
    return *this;
  }
};
/// A sum of pulls, and one of jerks.
struct PullsAndJerks {
  Pulls pull{}, jerk{};
  PullsAndJerks& operator+=(const PullsAndJerks& o) {
    pull += o.pull, jerk += o.jerk;
    return *this;
  }
};

template <class T>
Mass<double> wide(const Mass<T>& b) {
  return {double(b.x), double(b.y), double(b.z), double(b.m)};
}

template <class P>
class SemiActiveForces final : public ForceSolver<P> {
 public:
  using T = typename P::Position;

  SemiActiveForces(const ForceMethod& method, const Gravity& gravity, const ranks::Collective& all,
                   const TestParticles& particles, const SemiActiveBodies& semi_active)
      : all_(all),
        particles_(particles),
        semi_active_(semi_active),
        of_massive_(method, gravity, all, particles) {}

  void evaluate(const PairProblem<P>& p) override {
    const auto massive = of_massive_.find(p);
    massive_.resize(massive.size());
    for_each_index(massive.size(), [&](std::size_t k) { massive_[k] = wide(massive[k]); });
    follows_.assign(p.targets.size(), 1);
    for (const auto i : particles_.here()) follows_[i] = 0;
    pull_others(p);
    of_massive_.evaluate(p);
    add_reactions(p);
  }
  std::size_t bytes() const override {
    return of_massive_.bytes() + massive_.capacity() * sizeof(massive_[0]) + follows_.capacity();
  }

 private:
  PairProblem<F64> problem(const PairProblem<P>& p) const {
    return {.targets = {},
            .sources = {},
            .sums = {},
            .softening = p.softening,
            .boundary = p.boundary,
            .self = PairProblem<F64>::none,
            .potential = p.potential};
  }

  /// Rows of all that do not pull all others.
  void pull_others(const PairProblem<P>& p) {
    using S = typename P::Sum;
    constexpr std::size_t together = particles_together;
    const ParticleRows<F64> rows(massive_);
    const std::size_t n = p.targets.size();
    parallel_for((n + together - 1) / together, [&](std::size_t group) {
      std::array<Mass<double>, together> targets;
      std::array<Vec4<double>, together> sums{};
      std::array<std::size_t, together> places;
      std::size_t count = 0;
      for (std::size_t i = group * together; i < std::min(n, (group + 1) * together); ++i)
        if (follows_[i] != 0) targets[count] = wide(p.targets[i]), places[count++] = i;
      if (count > 0 && !massive_.empty())
        rows.sum(problem(p), std::span(targets).first(count), std::span(sums).first(count));
      for (std::size_t k = 0; k < count; ++k) {
        const auto& s = sums[k];
        p.sums[places[k]] = {S(s.x), S(s.y), S(s.z), S(s.w)};
      }
    });
  }

  /// What semi-active bodies do to those that pull all others.
  void add_reactions(const PairProblem<P>& p) {
    using S = typename P::Sum;
    const auto sums = sums_over<Pulls>(
        all_, semi_active_, massive_.size(),
        [&](std::span<const std::size_t> block, std::size_t first, std::span<Pulls> to) {
          std::vector<Mass<double>> sources;
          for (const auto i : block) sources.push_back(wide(p.targets[i]));
          std::vector<Vec4<double>> found(to.size());
          ParticleRows<F64>(sources).sum(problem(p), std::span(massive_).subspan(first, to.size()), found);
          for (std::size_t k = 0; k < to.size(); ++k) to[k].of = found[k];
        });
    const auto here = particles_.here();
    for_each_index(here.size(), [&](std::size_t k) {
      auto& to = p.sums[here[k]];
      const auto& s = sums[particles_.before() + k].of;
      to = {S(double(to.x) + s.x), S(double(to.y) + s.y), S(double(to.z) + s.z), S(double(to.w) + s.w)};
    });
  }

  const ranks::Collective& all_;
  const TestParticles& particles_;
  const SemiActiveBodies& semi_active_;
  MassiveSums<P> of_massive_;
  std::vector<Mass<double>> massive_;
  std::vector<std::uint8_t> follows_;
};

}  // namespace

SemiActiveBodies::SemiActiveBodies(const Bodies& own, const Gravity& gravity, ranks::Communicator& comm) {
  if (!gravity.semi_active.any()) return;
  // Those of a block give one rank's threads something to do, also where bodies are few.
  constexpr std::size_t together = 1024;
  static_assert(ranks::Division::block % together == 0);
  marks_.assign(own.size(), 0);
  blocks_.resize((own.size() + together - 1) / together);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!gravity.semi_active.has(own.mass[i], static_cast<unsigned>(own.type[i]))) continue;
    marks_[i] = 1, ++count;
    blocks_[i / together].push_back(i);
  }
  count_ = ranks::sum(comm, count);
  if (count_ == 0) marks_.clear(), blocks_.clear();
}

void add_pulls_of_semi_active(const ranks::Collective& all, const TestParticles& particles,
                              const SemiActiveBodies& semi_active, const cpu::MovingBodies& own,
                              std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks,
                              const Gravity& gravity) {
  const bool lows = !own.low.empty();
  Columns massive;
  for (const auto& body : particles.of_massive([&](std::size_t i) { return moving(own, i); }))
    massive.add(body, lows);
  const auto sums = sums_over<PullsAndJerks>(
      all, semi_active, massive.x.size(),
      [&](std::span<const std::size_t> block, std::size_t first, std::span<PullsAndJerks> to) {
        Columns columns;
        for (const auto i : block) columns.add(moving(own, i), lows);
        const auto targets = massive.part(first, to.size()), sources = columns.bodies();
        std::vector<Vec4<double>> a(to.size()), j(to.size());
        if (jerks.empty()) cpu::add_acceleration(targets, sources, a, gravity.softening, gravity.boundary);
        else cpu::add_acceleration_and_jerk(targets, sources, a, j, gravity.softening, gravity.boundary);
        for (std::size_t k = 0; k < to.size(); ++k) to[k] = {{a[k]}, {j[k]}};
      });
  const auto here = particles.here();
  const auto add = [](Vec4<double>& to, const Vec4<double>& s) {
    to = {to.x + s.x, to.y + s.y, to.z + s.z, to.w};
  };
  for_each_index(here.size(), [&](std::size_t k) {
    const auto& sum = sums[particles.before() + k];
    add(accelerations[here[k]], sum.pull.of);
    if (!jerks.empty()) add(jerks[here[k]], sum.jerk.of);
  });
}

template <class P>
std::unique_ptr<ForceSolver<P>> make_semi_active_solver(const ForceMethod& method, const Gravity& gravity,
                                                        const ranks::Collective& all,
                                                        const TestParticles& particles,
                                                        const SemiActiveBodies& semi_active) {
  return std::make_unique<SemiActiveForces<P>>(method, gravity, all, particles, semi_active);
}
template std::unique_ptr<ForceSolver<F32>> make_semi_active_solver(const ForceMethod&, const Gravity&,
                                                                   const ranks::Collective&,
                                                                   const TestParticles&,
                                                                   const SemiActiveBodies&);
template std::unique_ptr<ForceSolver<F64>> make_semi_active_solver(const ForceMethod&, const Gravity&,
                                                                   const ranks::Collective&,
                                                                   const TestParticles&,
                                                                   const SemiActiveBodies&);
template std::unique_ptr<ForceSolver<Mixed>> make_semi_active_solver(const ForceMethod&, const Gravity&,
                                                                     const ranks::Collective&,
                                                                     const TestParticles&,
                                                                     const SemiActiveBodies&);

}  // namespace pleiad
