#include "domain/host_particles.hpp"

#include "cpu/update.hpp"
#include "domain/blocks.hpp"
#include "tree/build.hpp"
#include "tree/structures.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pleiad::domain {
namespace {

/// As tree::extent_of, for the bodies of all ranks.
template <class Real>
tree::Extent extent_of_all(ranks::Communicator& comm, std::span<const Mass<Real>> own) {
  constexpr std::size_t block = tree::mass_block;
  const auto first = firsts(comm, own.size());
  std::vector<Real> masses(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) masses[i] = own[i].m;
  const auto begin = before_first_block(first[std::size_t(comm.rank())], own.size(), block);
  const auto rest = rest_of_last_block<Real>(comm, std::span(masses).first(begin), first, block);
  masses.insert(masses.end(), rest.begin(), rest.end());
  std::vector<double> sums;
  for (std::size_t i = begin; i < masses.size(); i += block) {
    double sum = 0;
    for (std::size_t k = i; k < std::min(masses.size(), i + block); ++k) sum += double(masses[k]);
    sums.push_back(sum);
  }
  tree::Extent all;
  for (const auto& e : ranks::all_gather(comm, tree::extent_of(own))) all.add_places(e);
  for (const double sum : ranks::all_gather<double>(comm, sums).data) all.mass += sum;
  return all;
}

/// Merges keys and their values, which are sorted from each of `begins` to the next; equal keys keep their
/// order. Pairs of consecutive runs are merged repeatedly.
void merge_runs(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
                std::vector<std::size_t> begins) {
  std::vector<std::uint64_t> other_keys(keys.size());
  std::vector<std::uint32_t> other_values(values.size());
  while (begins.size() > 2) {
    const std::size_t runs = begins.size() - 1;
    parallel_for((runs + 1) / 2, [&](std::size_t pair) {
      auto i = begins[2 * pair], j = begins[2 * pair + 1];
      const auto middle = j, end = begins[std::min(runs, 2 * pair + 2)];
      for (auto to = i; to < end; ++to) {
        const auto from = j == end || (i < middle && keys[i] <= keys[j]) ? i++ : j++;
        other_keys[to] = keys[from], other_values[to] = values[from];
      }
    });
    keys.swap(other_keys), values.swap(other_values);
    std::vector<std::size_t> fewer;
    for (std::size_t k = 0; k < runs; k += 2) fewer.push_back(begins[k]);
    fewer.push_back(begins.back());
    begins = std::move(fewer);
  }
}

}  // namespace

template <class Real>
void HostParticles<Real>::take(std::span<const Mass<Real>> own, const Boundary& boundary,
                               std::span<const std::uint32_t> costs, std::uint32_t leaf_size) {
  own_ = own, costs_ = costs, leaf_size_ = leaf_size;
  if (!boundary.periodic) return;
  wrapped_.assign(own.begin(), own.end());
  cpu::wrap<Real>(wrapped_, boundary);
  own_ = wrapped_;
}

template <class Real>
Below HostParticles<Real>::given() const {
  return {own_.size(), weights_.empty() ? own_.size() : weights_.back()};
}

template <class Real>
bool HostParticles<Real>::find_keys(std::uint64_t) {
  tree_.structure = Structure::octree;
  tree_.cells.clear(), tree_.levels.clear();
  if (!tree::take_units(tree_, extent_of_all(comm_, own_))) return false;
  keys_ = tree::sort_along_curve(tree_, own_);
  sent_ = tree_.order;
  if (costs_.empty()) return true;
  weights_.resize(own_.size() + 1);
  for (std::size_t i = 0; i < own_.size(); ++i)
    weights_[i + 1] = weights_[i] + std::max<std::uint64_t>(1, costs_[sent_[i]]);
  return true;
}

template <class Real>
std::vector<Below> HostParticles<Real>::count_below(std::span<const std::uint64_t> bounds) {
  return domain::count_below(keys_, weights_, bounds);
}

template <class Real>
void HostParticles<Real>::migrate(const Part&, const SendLists& lists) {
  release(keys_, weights_);
  std::vector<Mass<Real>> leaving(own_.size());
  for_each_index(own_.size(), [&](std::size_t i) { leaving[i] = own_[sent_[i]]; });
  release(wrapped_);
  auto came = ranks::all_to_all<Mass<Real>>(comm_, leaving, lists.sent);
  release(leaving);
  keys_ = tree::keys_of<Real>(tree_, came.data);
  tree_.order.resize(keys_.size());
  std::iota(tree_.order.begin(), tree_.order.end(), 0U);
  merge_runs(keys_, tree_.order, came.begins);
  tree::take_bodies<Real>(tree_, came.data);
  levels_.assign(keys_.size(), 0);
}

template <class Real>
Particles::Samples HostParticles<Real>::sample_keys(std::size_t begin, std::uint32_t dense) {
  samples_.clear();
  for (auto i = begin; i < keys_.size(); i += dense) samples_.push_back(keys_[i]);
  return samples_.empty() ? Samples{} : Samples{samples_.front(), samples_.back(), samples_.size()};
}

template <class Real>
std::vector<tree::NearDense> HostParticles<Real>::mark_near_dense(const Part& part,
                                                                  std::optional<std::uint64_t> before,
                                                                  std::optional<std::uint64_t> behind) {
  if (before) samples_.insert(samples_.begin(), *before);
  if (behind) samples_.push_back(*behind);
  auto octants = tree::octants_near_dense(samples_, before.has_value());
  const auto others = std::ranges::partition(
      octants, [&](const tree::NearDense& o) { return part.cuts.owner_of(o.first_key) == part.rank; });
  const auto own = octants.begin() + (octants.size() - others.size());
  raise_levels({octants.begin(), own});
  octants.erase(octants.begin(), own);
  return octants;
}

template <class Real>
void HostParticles<Real>::raise_levels(std::span<const tree::NearDense> octants) {
  for (const auto& octant : octants) tree::raise_levels(keys_, octant, leaf_size_, levels_);
}

template <class Real>
void HostParticles<Real>::divide(const Part& part) {
  if (!keys_.empty()) {
    tree::divide_into_octants(tree_, keys_, {.leaf_size = leaf_size_, .levels = std::move(levels_)},
                              part.own());
    tree_.levels.push_back(static_cast<std::uint32_t>(tree_.cells.size()));
  }
  release(keys_, levels_, samples_);
}

template class HostParticles<float>;
template class HostParticles<double>;

}  // namespace pleiad::domain
