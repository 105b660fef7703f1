#include "engine/device_sample.hpp"

#include "core/room.hpp"
#include "core/threads.hpp"
#include "cpu/ewald.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/ewald_sums.hpp"
#include "cuda/sample.hpp"
#include "domain/blocks.hpp"
#include "engine/ranks_sample.hpp"

#include <pleiad/kernel/direct.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace pleiad {
namespace {

const DirectKernel& exact_kernel() {
  const auto kernels = cuda_kernels();
  return **std::ranges::find(kernels, "cuda/split-reduced", &DirectKernel::name);
}

std::vector<Vec4<double>> to_host(const cuda::Buffer<Vec4<double>>& sums) {
  std::vector<Vec4<double>> host(sums.size());
  sums.copy_to_host(host);
  return host;
}
std::vector<Vec3<double>> accelerations_of_all(std::span<const Vec4<double>> sums, double G) {
  std::vector<std::size_t> all(sums.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return accelerations_of<double>(sums, G, all);
}

/// Bodies that lie on the device.
template <class T>
struct DeviceBodies {
  std::span<const Mass<T>> bodies;
  void* stream;

  std::size_t size() const { return bodies.size(); }
  std::vector<Mass<double>> some(std::span<const std::size_t> chosen) const {
    if (chosen.empty()) return {};
    const cuda::Buffer<std::size_t> numbers(chosen, stream);
    cuda::Buffer<Mass<double>> there(chosen.size(), stream);
    cuda::pick(bodies.data(), numbers.data(), chosen.size(), there.data(), stream);
    std::vector<Mass<double>> host(chosen.size());
    there.copy_to_host(host);
    return host;
  }
  void give(std::size_t begin, std::size_t count, Mass<double>* to) const {
    cuda::pick(bodies.data() + begin, nullptr, count, to, stream);
  }
};

/// Bodies of the host.
class HostBodies {
 public:
  HostBodies(const Bodies& all, std::size_t chunk, void* where)
      : stream(where), bodies_(all), room_(std::min(chunk, all.size())) {}
  void* const stream;

  std::size_t size() const { return bodies_.size(); }
  Mass<double> at(std::size_t i) const { return {bodies_.x[i], bodies_.y[i], bodies_.z[i], bodies_.mass[i]}; }
  std::vector<Mass<double>> some(std::span<const std::size_t> chosen) const {
    std::vector<Mass<double>> all;
    for (const auto i : chosen) all.push_back(at(i));
    return all;
  }
  void give(std::size_t begin, std::size_t count, Mass<double>* to) {
    for_each_index(count, [&](std::size_t k) { room_.data()[k] = at(begin + k); });
    cuda::copy_to_device(to, room_.data(), count * sizeof *to, stream);
    cuda::wait(stream);
  }

 private:
  const Bodies& bodies_;
  Unwritten<Mass<double>> room_;  ///< of a chunk at most
};

/// Elements that later ranks have of the last chunk that begins on this rank.
template <class Own>
std::vector<Mass<double>> rest_of_last_chunk(const ranks::Collective& all, const Own& own, std::size_t before,
                                             std::size_t chunk) {
  std::vector<std::size_t> begun(before);
  std::iota(begun.begin(), begun.end(), std::size_t{0});
  std::vector<std::uint64_t> firsts;
  for (int r = 0; r <= all.division().ranks; ++r) firsts.push_back(all.division().first(r));
  return domain::rest_of_last_block<Mass<double>>(all.comm(), own.some(begun), firsts, chunk);
}

/// use(sources) for each chunk that begins among the own bodies. Collective.
template <class Own, class Use>
void for_chunks(const ranks::Collective& all, Own& own, std::size_t chunk, const Use& use) {
  const std::size_t before = domain::before_first_block(all.first(), own.size(), chunk);
  const auto rest = rest_of_last_chunk(all, own, before, chunk);
  cuda::Buffer<Mass<double>> wide;
  for (std::size_t begin = before; begin < own.size(); begin += chunk) {
    const std::size_t here = std::min(chunk, own.size() - begin), more = here < chunk ? rest.size() : 0,
                      count = here + more;
    if (wide.size() < count) wide = cuda::Buffer<Mass<double>>(count, own.stream);
    own.give(begin, here, wide.data());
    cuda::copy_to_device(wide.data() + here, rest.data(), more * sizeof rest[0], own.stream);
    use(std::as_const(wide).span().first(count));
  }
}

std::vector<Vec4<double>> pulls_on(const cuda::Buffer<Mass<double>>& targets,
                                   std::span<const Mass<double>> sources, const Gravity& gravity,
                                   void* stream) {
  cuda::Buffer<Vec4<double>> sums(targets.size(), stream);
  sums.set_bytes(0xFF);  // sums that are not written are NaN
  // Few targets fill a GPU when the sources are split among many blocks.
  constexpr int threads = 64;
  constexpr std::size_t most_splits = 1024;
  const auto splits = int(std::clamp<std::size_t>(sources.size() / threads, 1, most_splits));
  exact_kernel().f64({.targets = targets.span(),
                      .sources = sources,
                      .sums = sums.span(),
                      .softening = gravity.softening,
                      .boundary = gravity.boundary,
                      .self = PairProblem<F64>::none,
                      .stream = stream},
                     {.threads_per_block = threads, .bodies_per_thread = 4, .source_splits = splits});
  return to_host(sums);
}

/// The splitting of cpu/ewald in double precision: 5e-13 of the pull at half the box are left out.
cuda::EwaldSplitting splitting_of(const Gravity& gravity) {
  constexpr double narrow = 5.1;
  cpu::need_box_for_all_images(gravity.boundary);
  const auto ewald = cpu::ewald_of(gravity.boundary.length, gravity.softening.eps, narrow);
  cuda::EwaldSplitting by{.sides = gravity.boundary.length,
                          .eps = gravity.softening.eps,
                          .alpha = ewald->narrow / ewald->cut,
                          .cut = ewald->cut,
                          .waves = {}};
  for (const auto& row : ewald->waves.rows)
    for (int c = 0; c <= row.last; ++c) {
      const double amplitude = ewald->waves.amplitude[row.at + std::size_t(c)];
      if (amplitude == 0) continue;
      by.waves.push_back({row.a, row.b, c, amplitude});
      if (c > 0 && (row.a != 0 || row.b != 0)) by.waves.push_back({row.a, row.b, -c, amplitude});
    }
  return by;
}

/// The same over all images, on one process.
template <class Own>
std::vector<Vec3<double>> exact_of_all_images(Own& own, const Gravity& gravity,
                                              std::span<const std::size_t> chosen, std::size_t chunk) {
  cuda::Buffer<Mass<double>> sources(own.size(), own.stream);
  for (std::size_t begin = 0; begin < own.size(); begin += chunk)
    own.give(begin, std::min(chunk, own.size() - begin), sources.data() + begin);
  std::vector<Vec3<double>> targets;
  for (const auto& body : own.some(chosen)) targets.push_back(body.position());
  auto pulls = cuda::ewald_pulls(targets, std::as_const(sources).span(), splitting_of(gravity), own.stream);
  for (auto& pull : pulls) pull = gravity.G * pull;
  return pulls;
}

template <class Own>
std::vector<Vec3<double>> exact_of_own(const ranks::Collective& all, Own own, const Gravity& gravity,
                                       std::span<const std::size_t> chosen, std::size_t chunk) {
  if (chosen.empty()) return {};
  if (gravity.boundary.all_images()) return exact_of_all_images(own, gravity, chosen, chunk);
  // Masses of targets are never read.
  std::vector<Mass<double>> places;
  for (const auto& x : of_chosen_at_once(all, own.size(), chosen, [&](std::span<const std::size_t> some) {
         std::vector<Vec3<double>> here;
         for (const auto& body : own.some(some)) here.push_back(body.position());
         return here;
       }))
    places.push_back({x.x, x.y, x.z, 0});
  const cuda::Buffer<Mass<double>> targets(std::span<const Mass<double>>(places), own.stream);
  std::vector<Vec4<double>> of_chunks;
  for_chunks(all, own, chunk, [&](std::span<const Mass<double>> sources) {
    const auto pulls = pulls_on(targets, sources, gravity, own.stream);
    of_chunks.insert(of_chunks.end(), pulls.begin(), pulls.end());
  });
  of_chunks = ranks::all_gather<Vec4<double>>(all.comm(), of_chunks).data;
  const auto sums = std::span(of_chunks).first(chosen.size());
  for (std::size_t k = chosen.size(); k < of_chunks.size(); ++k) {
    auto& sum = sums[k % chosen.size()];
    const auto& part = of_chunks[k];
    sum.x += part.x, sum.y += part.y, sum.z += part.z;
  }
  return accelerations_of_all(sums, gravity.G);
}

}  // namespace

template <class T>
std::vector<Vec3<double>> exact_on_gpu(const ranks::Collective& all, std::span<const Mass<T>> own,
                                       const Gravity& gravity, std::span<const std::size_t> chosen,
                                       void* stream, std::size_t chunk) {
  return exact_of_own(all, DeviceBodies<T>{own, stream}, gravity, chosen, chunk);
}
std::vector<Vec3<double>> exact_on_gpu(const ranks::Collective& all, const Bodies& own,
                                       const Gravity& gravity, std::span<const std::size_t> chosen,
                                       void* stream, std::size_t chunk) {
  return exact_of_own(all, HostBodies(own, chunk, stream), gravity, chosen, chunk);
}

template <class T>
std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<T>> sums, double G,
                                        std::span<const std::size_t> chosen, void* stream) {
  if (chosen.empty()) return {};
  const cuda::Buffer<std::size_t> numbers(chosen, stream);
  cuda::Buffer<Vec4<double>> some(chosen.size(), stream);
  cuda::pick(sums.data(), numbers.data(), chosen.size(), some.data(), stream);
  return accelerations_of_all(to_host(some), G);
}

template std::vector<Vec3<double>> exact_on_gpu(const ranks::Collective&, std::span<const Mass<float>>,
                                                const Gravity&, std::span<const std::size_t>, void*,
                                                std::size_t);
template std::vector<Vec3<double>> exact_on_gpu(const ranks::Collective&, std::span<const Mass<double>>,
                                                const Gravity&, std::span<const std::size_t>, void*,
                                                std::size_t);
template std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<float>>, double,
                                                 std::span<const std::size_t>, void*);
template std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<double>>, double,
                                                 std::span<const std::size_t>, void*);

}  // namespace pleiad
