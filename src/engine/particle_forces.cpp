#include "engine/particle_forces.hpp"

#include "core/threads.hpp"
#include "cpu/direct/ewald_parts.hpp"
#include "engine/massive_sums.hpp"
#include "engine/particle_rows.hpp"
#include "engine/ranks_ewald.hpp"
#include "engine/source_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {
namespace {

template <class P>
class ParticleForces final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  ParticleForces(const ForceMethod& method, const Gravity& gravity, const ranks::Collective& all,
                 const TestParticles& particles)
      : particles_(particles), of_massive_(method, gravity, all, particles) {
    if (particles.massive() > 0 && method.tree) of_all_ = make_host_solver<P>(method, gravity, all);
  }

  void evaluate(const PairProblem<P>& p) override {
    if (particles_.massive() == 0) {
      for_each_index(p.sums.size(), [&](std::size_t i) { p.sums[i] = {}; });
      return;
    }
    massive_ = of_massive_.find(p);
    if (of_all_) of_all_->evaluate(p);
    else if (p.boundary.all_images()) sum_all_images(p);
    else sum_rows(p);
    of_massive_.evaluate(p);
  }
  std::size_t bytes() const override {
    return of_massive_.bytes() + targets_.capacity() * (sizeof(targets_[0]) + sizeof(Sum)) +
           (of_all_ ? of_all_->bytes() : 0);
  }
  TreeWork work() override { return of_all_ ? of_all_->work() : TreeWork{}; }

 private:
  // Ranks are cut between groups.
  static constexpr std::size_t together = particles_together;
  static_assert(ranks::Division::block % together == 0);

  /// Rows of the particles by the arithmetic of cpu/threads.
  void sum_rows(const PairProblem<P>& p) {
    const ParticleRows<P> rows(massive_);
    const std::size_t n = p.targets.size();
    const auto some = [&](std::size_t begin) {
      const std::size_t end = std::min(n, begin + together);
      std::array<Mass<T>, together> targets;
      std::array<Sum, together> sums;
      std::array<std::size_t, together> places;
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i)
        if (p.targets[i].m == 0) targets[count] = p.targets[i], places[count++] = i;
      if (count == 0) return;
      rows.sum(p, std::span(targets).first(count), std::span(sums).first(count));
      for (std::size_t k = 0; k < count; ++k) p.sums[places[k]] = sums[k];
    };
    const std::size_t parts = (n + together - 1) / together;
    // As cpu/threads; moving a target costs about as much as sixteen pulls on it.
    constexpr std::size_t worth_a_thread = 160'000;
    if (n * (massive_.size() + 16) >= worth_a_thread)
      parallel_for(parts, [&](std::size_t k) { some(k * together); });
    else
      for (std::size_t k = 0; k < parts; ++k) some(k * together);
  }

  /// Ewald sums of the particles. A group of targets is filled up with its last one.
  void sum_all_images(const PairProblem<P>& p) {
    constexpr std::size_t rows = cpu::ewald_rows;
    static_assert(ranks::Division::block % rows == 0);
    const std::size_t n = p.targets.size();
    std::vector<std::size_t> places, begins;
    targets_.clear();
    for (std::size_t first = 0; first < n; first += rows) {
      const std::size_t begin = targets_.size();
      for (std::size_t i = first; i < std::min(n, first + rows); ++i)
        if (p.targets[i].m == 0) targets_.push_back(p.targets[i]), places.push_back(i);
      if (targets_.size() == begin) continue;
      begins.push_back(begin);
      targets_.resize(begin + rows, targets_.back()), places.resize(begin + rows, n);
    }
    std::vector<Sum> sums(targets_.size());
    auto part = p;
    part.targets = targets_, part.sums = sums, part.self = p.none;
    SourceBlocks<Mass<T>> blocks(particles_.among_massive());
    collective_ewald<P>(particles_.among_massive(), blocks, part, particles_.share<Mass<T>>(massive_),
                        begins);
    for (std::size_t k = 0; k < places.size(); ++k)
      if (places[k] < n) p.sums[places[k]] = sums[k];
  }

  const TestParticles& particles_;
  MassiveSums<P> of_massive_;
  std::unique_ptr<ForceSolver<P>> of_all_;  ///< a tree, whose results for the particles are used
  std::span<const Mass<T>> massive_;
  std::vector<Mass<T>> targets_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_particle_solver(const ForceMethod& method, const Gravity& gravity,
                                                     const ranks::Collective& all,
                                                     const TestParticles& particles) {
  return std::make_unique<ParticleForces<P>>(method, gravity, all, particles);
}
template std::unique_ptr<ForceSolver<F32>> make_particle_solver(const ForceMethod&, const Gravity&,
                                                                const ranks::Collective&,
                                                                const TestParticles&);
template std::unique_ptr<ForceSolver<F64>> make_particle_solver(const ForceMethod&, const Gravity&,
                                                                const ranks::Collective&,
                                                                const TestParticles&);
template std::unique_ptr<ForceSolver<Mixed>> make_particle_solver(const ForceMethod&, const Gravity&,
                                                                  const ranks::Collective&,
                                                                  const TestParticles&);

}  // namespace pleiad
