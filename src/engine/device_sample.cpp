#include "engine/device_sample.hpp"

#include "cuda/catalogue.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/sample.hpp"
#include "engine/exact.hpp"

#include <pleiad/kernel/direct.hpp>

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace pleiad {
namespace {

const DirectKernel& exact_kernel() {
  const auto kernels = cuda_kernels();
  return **std::ranges::find(kernels, "cuda/split-reduced", &DirectKernel::name);
}

std::vector<Vec3<double>> to_host(const cuda::Buffer<Vec4<double>>& sums, double G) {
  std::vector<Vec4<double>> host(sums.size());
  sums.copy_to_host(host);
  std::vector<std::size_t> all(host.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return accelerations_of<double>(host, G, all);
}

}  // namespace

template <class T>
std::vector<Vec3<double>> exact_on_gpu(std::span<const Mass<T>> bodies, const Gravity& gravity,
                                       std::span<const std::size_t> chosen, void* stream) {
  if (chosen.empty()) return {};
  const cuda::Buffer<std::size_t> numbers(chosen, stream);
  cuda::Buffer<Mass<double>> targets(chosen.size(), stream), wide;
  cuda::pick(bodies.data(), numbers.data(), chosen.size(), targets.data(), stream);
  std::span<const Mass<double>> sources;
  if constexpr (std::is_same_v<T, double>) {
    sources = bodies;
  } else {
    wide = cuda::Buffer<Mass<double>>(bodies.size(), stream);
    cuda::pick(bodies.data(), nullptr, bodies.size(), wide.data(), stream);
    sources = wide.span();
  }
  cuda::Buffer<Vec4<double>> sums(chosen.size(), stream);
  sums.set_bytes(0xFF);  // what nobody writes is not a number
  // Few targets fill a GPU when the sources are split among many blocks.
  constexpr int threads = 64;
  constexpr std::size_t most_splits = 1024;
  const auto splits = int(std::clamp<std::size_t>(bodies.size() / threads, 1, most_splits));
  exact_kernel().f64({.targets = std::as_const(targets).span(),
                      .sources = sources,
                      .sums = sums.span(),
                      .softening = gravity.softening,
                      .boundary = gravity.boundary,
                      .self = PairProblem<F64>::none,
                      .stream = stream},
                     {.threads_per_block = threads, .bodies_per_thread = 4, .source_splits = splits});
  return to_host(sums, gravity.G);
}

template <class T>
std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<T>> sums, double G,
                                        std::span<const std::size_t> chosen, void* stream) {
  if (chosen.empty()) return {};
  const cuda::Buffer<std::size_t> numbers(chosen, stream);
  cuda::Buffer<Vec4<double>> some(chosen.size(), stream);
  cuda::pick(sums.data(), numbers.data(), chosen.size(), some.data(), stream);
  return to_host(some, G);
}

template std::vector<Vec3<double>> exact_on_gpu(std::span<const Mass<float>>, const Gravity&,
                                                std::span<const std::size_t>, void*);
template std::vector<Vec3<double>> exact_on_gpu(std::span<const Mass<double>>, const Gravity&,
                                                std::span<const std::size_t>, void*);
template std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<float>>, double,
                                                 std::span<const std::size_t>, void*);
template std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<double>>, double,
                                                 std::span<const std::size_t>, void*);

}  // namespace pleiad
