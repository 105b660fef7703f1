#include "engine/test_particles.hpp"

#include "engine/sampling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace pleiad {

void TestParticles::find_others(std::size_t own) {
  auto& comm = all_->comm();
  std::array<std::uint64_t, 2> counts{own - here_.size(), here_.size()};
  const auto before = ranks::all_gather<std::uint64_t>(comm, counts[1]);
  for (int r = 0; r < comm.rank(); ++r) before_ += before[std::size_t(r)];
  comm.sum(counts);
  particles_ = counts[0], massive_ = counts[1];
  const ranks::Division division{massive_, comm.ranks()};
  among_massive_ = ranks::Collective(comm, division.count(comm.rank()));
}

Bodies TestParticles::massive_share(const Bodies& own) const {
  struct Body {
    double mass;
    Vec3<double> position, velocity;
    Type type;
    double softening;
  };
  const bool softened = !own.softening.empty();
  const auto all = of_massive([&](std::size_t i) {
    return Body{own.mass[i], own.position(i), own.velocity(i), own.type[i], softened ? own.softening[i] : 0};
  });
  Bodies share;
  for (const auto& body : this->share<Body>(all)) {
    share.add(body.mass, body.position, body.velocity);
    share.type.back() = body.type;
    if (softened) share.softening.push_back(body.softening);
  }
  return share;
}

std::vector<std::size_t> TestParticles::massive_numbers() const {
  const std::size_t first = all_->first();
  return of_massive([&](std::size_t i) { return first + i; });
}

std::optional<std::vector<std::size_t>> TestParticles::numbers_among_massive(
    std::span<const std::size_t> chosen) const {
  const auto numbers = massive_numbers();
  std::vector<std::size_t> found;
  for (const auto body : chosen) {
    const auto at = std::ranges::lower_bound(numbers, body);
    if (at == numbers.end() || *at != body) return std::nullopt;
    found.push_back(std::size_t(at - numbers.begin()));
  }
  return found;
}

std::vector<std::size_t> TestParticles::drawn(const Bodies& b, std::size_t most) const {
  struct Drawn {
    std::uint64_t hash;
    std::size_t number;
    auto operator<=>(const Drawn&) const = default;
  };
  const std::size_t first = all_->first();
  std::vector<Drawn> own;
  for (std::size_t i = 0, k = 0; i < b.size(); ++i) {
    if (k < here_.size() && here_[k] == i) {
      ++k;
      continue;
    }
    std::uint64_t hash = 0;
    for (const double v : {b.x[i], b.y[i], b.z[i], b.vx[i], b.vy[i], b.vz[i]})
      hash = sampling::mixed(hash, std::bit_cast<std::uint64_t>(v));
    own.push_back({hash, first + i});
  }
  const auto keep = [&](std::vector<Drawn>& some) {
    const auto end = some.begin() + std::ptrdiff_t(std::min(most, some.size()));
    std::ranges::partial_sort(some, end);
    some.erase(end, some.end());
  };
  keep(own);
  auto all = ranks::all_gather<Drawn>(all_->comm(), std::span<const Drawn>(own)).data;
  keep(all);
  std::vector<std::size_t> numbers;
  for (const auto& each : all) numbers.push_back(each.number);
  return numbers;
}

}  // namespace pleiad
