#include "structure/fourier.hpp"

#include "core/threads.hpp"

#include <pocketfft_hdronly.h>

namespace pleiad::structure {

std::vector<std::complex<double>> transformed(const std::vector<double>& values, std::size_t n) {
  const std::size_t half = n / 2 + 1;
  std::vector<std::complex<double>> out(n * n * half);
  const auto stride = [n](std::size_t row, std::size_t size) {
    return pocketfft::stride_t{std::ptrdiff_t(n * row * size), std::ptrdiff_t(row * size),
                               std::ptrdiff_t(size)};
  };
  // Plane by plane, then along the first axis: every one-dimensional transform is the work of one thread.
  const auto of_grid = stride(n, sizeof(double)), of_modes = stride(half, sizeof(std::complex<double>));
  parallel_for(n, [&](std::size_t x) {
    pocketfft::r2c(pocketfft::shape_t{1, n, n}, of_grid, of_modes, pocketfft::shape_t{1, 2},
                   pocketfft::FORWARD, values.data() + x * n * n, out.data() + x * n * half, 1.0);
  });
  parallel_for(n, [&](std::size_t y) {
    auto* const first = out.data() + y * half;
    pocketfft::c2c(pocketfft::shape_t{n, 1, half}, of_modes, of_modes, pocketfft::shape_t{0},
                   pocketfft::FORWARD, first, first, 1.0);
  });
  return out;
}

}  // namespace pleiad::structure
