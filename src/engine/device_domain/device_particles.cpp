#include "engine/device_domain/device_particles.hpp"

#include "cuda/tree/parts.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace pleiad::device_domain {
namespace {

using cuda::tree::with_room;
using domain::Below;
using domain::Part;
using domain::SendLists;
using tree::NearDense;

constexpr auto none = cuda::tree::Outputs<float>::none;

}  // namespace

template <class Real>
bool DeviceParticles<Real>::find_keys(std::uint64_t all) {
  const std::size_t n = own_.size();
  cuda::tree::Extent extent;
  for (const auto& e : ranks::all_gather(comm_, tree_.extent_of(own_))) extent.add(e);
  tree_.make_frame(extent, all, softening_.eps);
  if (!tree_.finite()) return false;
  if (tree_.memory_is_scarce(n)) tree_.forget_cells();
  // More than these may come, by about as much as a cut may be off.
  tree_.make_room_to_sort(n + n / 64);
  tree_.find_keys(own_);
  return true;
}

template <class Real>
std::vector<Below> DeviceParticles<Real>::count_below(std::span<const std::uint64_t> bounds) {
  std::vector<Below> counts(bounds.size());
  std::vector<std::uint64_t> sorted(bounds.begin(), bounds.end());
  const std::span keys(std::as_const(tree_).keys(), own_.size());
  if (keys.empty()) return counts;
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  std::vector<std::uint64_t> below;  // each of the sorted
  for (std::size_t from = 0; from < sorted.size(); from += cuda::tree::most_bounds) {
    const auto some =
        std::span(sorted).subspan(from, std::min(cuda::tree::most_bounds, sorted.size() - from));
    const cuda::Buffer<std::uint64_t> there(std::span<const std::uint64_t>(some), stream_);
    cuda::Buffer<std::uint64_t> found(some.size() + 1, stream_);
    found.set_bytes(0);
    cuda::tree::count_between(keys, there.span(), found.data(), stream_);
    std::vector<std::uint64_t> between(found.size());
    found.copy_to_host(between);
    std::partial_sum(between.begin(), between.end() - 1, std::back_inserter(below));
  }
  for (std::size_t k = 0; k < counts.size(); ++k)
    counts[k].bodies = counts[k].weight =
        below[std::size_t(std::ranges::lower_bound(sorted, bounds[k]) - sorted.begin())];
  return counts;
}

template <class Real>
void DeviceParticles<Real>::migrate(const Part& part, const SendLists& lists) {
  const std::size_t n = own_.size(), came = lists.came.back();
  auto* const leaving = reinterpret_cast<Mass<Real>*>(sums_.data());
  static_assert(sizeof(Mass<Real>) == sizeof(Vec4<Real>));
  const auto in_bytes = lists.times(sizeof(Mass<Real>));
  find_order(part);
  cuda::tree::reorder(own_, sent_.data(), leaving, stream_);
  if (came_.size() < came) with_room(came_, came + came / 64, stream_);
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(leaving), in_bytes.sent,
                       reinterpret_cast<std::byte*>(came_.data()), in_bytes.came);
  const std::span<const Mass<Real>> bodies(came_.data(), came);
  tree_.sort(bodies);
  // Sums of these bodies are found where the own ones belong, and a few more behind. Back they go by the
  // memory of sorted bodies, which are as many then.
  const std::size_t more = came > n ? came - n : 0;
  auto* const rest =
      more_sums_.size() < more ? with_room(more_sums_, more + more / 4, stream_) : more_sums_.data();
  tree_.place_particles(
      {.bodies = bodies,
       .sums = {{sums_.data(), rest}, {0, std::uint32_t(n), none, none, none, none, none, none}},
       .softening = softening_,
       .potential = potential_},
      front_, std::max(behind_, n > came ? n - came : 0));
  // The order of those that were sent is found again.
  if (tree_.memory_is_scarce(n)) tree_.forget_sorting(), came_ = {}, sent_ = {};
}

template <class Real>
void DeviceParticles<Real>::find_order(const Part& part) {
  const std::span keys(part.cuts.keys);
  tree_.order_by_part(own_.size(), keys.first(keys.size() - 1), sent_);
}

template <class Real>
void DeviceParticles<Real>::return_forces(const Part& part, const SendLists& lists) {
  constexpr auto bytes = sizeof(Vec4<Real>);
  const auto sums = sums_;
  const std::size_t n = sums.size(), came = lists.came.back();
  auto* const sorted = reinterpret_cast<Vec4<Real>*>(tree_.sorted());
  // In one piece, and to where nothing is needed any more.
  auto* leaving = sums.data();
  if (came > n) {
    leaving = sorted;
    cuda::copy_on_device(sorted, sums.data(), n * bytes, stream_);
    cuda::copy_on_device(sorted + n, more_sums_.data(), (came - n) * bytes, stream_);
  }
  auto* const home = came_.size() >= n        ? reinterpret_cast<Vec4<Real>*>(came_.data())
                     : leaving == sums.data() ? sorted
                                              : sums.data();
  const auto in_bytes = lists.times(bytes);
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(leaving), in_bytes.came,
                       reinterpret_cast<std::byte*>(home), in_bytes.sent);
  if (sent_.size() < n) tree_.find_keys(own_), find_order(part);
  if (home != sums.data()) return cuda::tree::put_back<Real>({home, n}, sent_.data(), sums.data(), stream_);
  cuda::tree::put_back<Real>({home, n}, sent_.data(), sorted, stream_);
  cuda::copy_on_device(home, sorted, n * bytes, stream_);
}

template <class Real>
domain::Particles::Samples DeviceParticles<Real>::sample_keys(std::size_t begin, std::uint32_t dense) {
  const std::size_t count = begin < tree_.n ? (tree_.n - begin + dense - 1) / dense : 0;
  // One before the own ones, and one behind.
  samples_ = cuda::Buffer<std::uint64_t>(count + 2, stream_);
  auto* const own = samples_.data() + 1;
  cuda::tree::take_key_samples(tree_.keys(), std::uint32_t(begin), dense, {own, count}, stream_);
  Samples samples{.count = count};
  if (count > 0) {
    cuda::copy_to_host(&samples.first, own, sizeof samples.first, stream_);
    cuda::copy_to_host(&samples.last, own + count - 1, sizeof samples.last, stream_);
  }
  return samples;
}

template <class Real>
std::vector<NearDense> DeviceParticles<Real>::mark_near_dense(const Part& part,
                                                              std::optional<std::uint64_t> before,
                                                              std::optional<std::uint64_t> behind) {
  auto* const first = samples_.data();
  const std::size_t end = samples_.size() - 1;
  if (before) cuda::copy_to_device(first, &*before, sizeof *before, stream_);
  if (behind) cuda::copy_to_device(first + end, &*behind, sizeof *behind, stream_);
  const std::span<const std::uint64_t> samples(first + (before ? 0 : 1), first + end + (behind ? 1 : 0));
  // Levels are raised again without harm when there was too little room.
  cuda::Buffer<std::uint32_t> found(1, stream_);
  std::uint32_t room = 4096;
  for (std::uint32_t needed = 0;; room = needed) {
    cuda::Buffer<NearDense> octants(room, stream_);
    found.set_bytes(0);
    cuda::tree::mark_near_dense(samples, before.has_value(), {tree_.keys(), tree_.n}, part.own(),
                                tree_.levels(), {octants.data(), found.data(), room}, stream_);
    found.copy_to_host({&needed, 1});
    if (needed > room) continue;
    std::vector<NearDense> elsewhere(needed);
    if (needed > 0) cuda::copy_to_host(elsewhere.data(), octants.data(), needed * sizeof(NearDense), stream_);
    return elsewhere;
  }
}

template <class Real>
void DeviceParticles<Real>::raise_levels(std::span<const NearDense> octants) {
  samples_ = {};
  if (octants.empty() || tree_.n == 0) return;
  const cuda::Buffer<NearDense> there(octants, stream_);
  cuda::tree::raise_levels(there.span(), {tree_.keys(), tree_.n}, tree_.levels(), stream_);
}

template <class Real>
void DeviceParticles<Real>::divide(const Part& part) {
  if (tree_.n > 0) tree_.divide(part.own());
}

template class DeviceParticles<float>;
template class DeviceParticles<double>;

}  // namespace pleiad::device_domain
