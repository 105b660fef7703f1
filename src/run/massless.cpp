#include "run/massless.hpp"

#include "ranks/communicator.hpp"

#include <pleiad/ensemble.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace pleiad::run {
namespace {

/// One behind the other, from all ranks in their order.
template <class T>
std::vector<T> of_all(ranks::Communicator& ranks, const std::vector<T>& own) {
  return ranks::all_gather<T>(ranks, std::span<const T>(own)).data;
}

std::size_t massless_of(const Bodies& b) { return static_cast<std::size_t>(std::ranges::count(b.mass, 0.0)); }

}  // namespace

void Massless::count(const Bodies& b) {
  const std::size_t own = massless_of(b);
  std::array<std::uint64_t, 2> counts{own, b.size() - own};
  ranks_->sum(counts);
  massless_ = counts[0], massive_ = counts[1];
}

void Massless::look(const Bodies& b, std::span<const double> potentials,
                    const std::optional<Vec3<double>>& frame, const std::optional<double>& omega) {
  const bool first = starts_.empty() && massless_of(b) > 0;
  std::vector<double> changes;
  std::size_t k = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b.mass[i] != 0) continue;
    const auto v = b.velocity(i) - frame.value_or(Vec3<double>{});
    const double kinetic = 0.5 * dot(v, v),
                 energy = kinetic + potentials[i] - omega.value_or(0) * cross(b.position(i), v).z;
    if (first) starts_.push_back({energy, std::max(kinetic, std::abs(potentials[i]))});
    const auto& start = starts_.at(k++);
    const double change = std::abs(energy - start.energy);
    changes.push_back(start.scale > 0 ? change / start.scale : change);
  }
  changes = of_all(*ranks_, changes);
  // NaN counts as the largest change.
  for (double& c : changes)
    if (std::isnan(c)) c = std::numeric_limits<double>::infinity();
  std::ranges::sort(changes);
  // The 99th percentile of few is the largest.
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * double(changes.size())));
  change_ = {.bodies = changes.size(),
             .median = quantile(changes, 0.5),
             .p99 = changes.at(std::max<std::size_t>(rank, 1) - 1),
             .largest = changes.back(),
             .conserved = omega && massive() == (frame ? 1 : 0)};
  largest_ = std::max(largest_, changes.back());
}

void Massless::keep(const std::vector<std::uint8_t>& kept, bool same_field, const Bodies& own) {
  auto all = of_all(*ranks_, starts_);
  count(own);
  change_.reset(), starts_.clear();
  const auto here = of_all<std::uint64_t>(*ranks_, {massless_of(own)});
  if (!same_field || all.size() != kept.size()) return;
  std::size_t first = 0, n = 0;
  for (int r = 0; r < ranks_->rank(); ++r) first += here[std::size_t(r)];
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (kept[k] == 0) continue;
    if (n >= first && n < first + massless_of(own)) starts_.push_back(all[k]);
    ++n;
  }
}

std::string Massless::bytes() const {
  const auto all = of_all(*ranks_, starts_);
  if (massless_ == 0 || all.empty()) return {};
  std::string bytes(sizeof largest_ + all.size() * sizeof(Start), '\0');
  std::memcpy(bytes.data(), &largest_, sizeof largest_);
  std::memcpy(bytes.data() + sizeof largest_, all.data(), all.size() * sizeof(Start));
  return bytes;
}

void Massless::restore(const std::string& bytes, const Bodies& b) {
  count(b);
  if (!any()) return;
  if (bytes.size() != sizeof largest_ + massless_ * sizeof(Start))
    throw InputError("the checkpoint does not hold the energies of its massless bodies");
  std::memcpy(&largest_, bytes.data(), sizeof largest_);
  const std::size_t own = massless_of(b);
  std::size_t before = 0;
  const auto counts = of_all<std::uint64_t>(*ranks_, {own});
  for (int r = 0; r < ranks_->rank(); ++r) before += counts[std::size_t(r)];
  starts_.resize(own);
  if (own > 0)
    std::memcpy(starts_.data(), bytes.data() + sizeof largest_ + before * sizeof(Start), own * sizeof(Start));
}

}  // namespace pleiad::run
