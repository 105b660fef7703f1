/// Measures the library on arrays in a GPU's memory: GravitySolver::accelerations of triples and masses, and
/// of records. pleiad_device_forces N EPS ACCURACY REPEATS: one JSON object a line, with the kernel that was
/// chosen, milliseconds of the median call, each waited for. tools/bench_python measures the same calls from
/// Python.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "cuda/device/memory.hpp"

#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace pleiad;

namespace {

template <class Call>
double median_ms(int repeats, void* stream, const Call& call) {
  for (int k = 0; k < 3; ++k) call();
  cuda::wait(stream);
  std::vector<double> times;
  for (int k = 0; k < repeats; ++k)
    times.push_back(1e3 * seconds_of([&] {
                      call();
                      cuda::wait(stream);
                    }));
  std::ranges::sort(times);
  return times[times.size() / 2];
}

void measure(std::size_t n, double eps, double accuracy, int repeats) {
  const auto bodies = model("plummer", {{"n", double(n)}}, 1).bodies;
  std::vector<float> x(3 * n), m(n);
  std::vector<Mass<float>> records(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[3 * i] = float(bodies.x[i]), x[3 * i + 1] = float(bodies.y[i]), x[3 * i + 2] = float(bodies.z[i]);
    m[i] = float(bodies.mass[i]);
    records[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2], m[i]};
  }
  // The stream in which CuPy and PyTorch work.
  void* const stream = nullptr;
  const cuda::Buffer<float> there(std::span<const float>(x), stream),
      masses(std::span<const float>(m), stream);
  const cuda::Buffer<Mass<float>> packed(std::span<const Mass<float>>(records), stream);
  cuda::Buffer<float> result(3 * n, stream);
  cuda::Buffer<Vec4<float>> sums(n, stream);
  GravitySolver solver({.softening = eps, .accuracy = accuracy});
  const auto tell = [&](const char* layout, double ms) {
    std::printf("{\"library\": \"C++\", \"layout\": \"%s\", \"n\": %zu, \"kernel\": \"%s\", \"ms\": %.6g}\n",
                layout, n, solver.kernel().c_str(), ms);
  };
  const double triples = median_ms(repeats, stream, [&] {
    const auto* p = there.data();
    auto* a = result.data();
    solver.accelerations(OnDevice<float>{.positions = {p, p + 1, p + 2, n, 3},
                                         .masses = masses.data(),
                                         .accelerations = {a, a + 1, a + 2, n, 3},
                                         .stream = stream});
  });
  tell("positions and masses", triples);
  const double as_records = median_ms(repeats, stream, [&] {
    solver.accelerations(RecordsOnDevice<float>{packed.span(), sums.span(), stream});
  });
  tell("records", as_records);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "pleiad_device_forces N EPS ACCURACY REPEATS\n");
    return 2;
  }
  try {
    measure(std::strtoull(argv[1], nullptr, 10), std::strtod(argv[2], nullptr), std::strtod(argv[3], nullptr),
            std::max(1, std::atoi(argv[4])));
  } catch (const Error& e) {
    std::fprintf(stderr, "pleiad_device_forces: %s\n", e.what());
    return 4;
  }
  return 0;
}
