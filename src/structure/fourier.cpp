#include "structure/fourier.hpp"

#include "core/large_pages.hpp"
#include "core/threads.hpp"

#include <algorithm>

#include <pocketfft_hdronly.h>

namespace pleiad::structure {
namespace {

using Complex = std::complex<double>;
using pocketfft::shape_t, pocketfft::stride_t;

/// Strides of a grid with rows of this many numbers.
stride_t strides(std::size_t n, std::size_t row, std::size_t size) {
  return {std::ptrdiff_t(n * row * size), std::ptrdiff_t(row * size), std::ptrdiff_t(size)};
}

/// The part of the modes that is not known to be 0. Every one-dimensional transform is the work of one
/// thread.
struct Modes {
  std::size_t n, half = n / 2 + 1, most;
  std::size_t depth = std::min(half, most == all_modes ? half : most + 1);
  stride_t steps = strides(n, half, sizeof(Complex));

  bool has(std::size_t row) const { return std::min(row, n - row) < depth; }
  /// Along the first axis.
  void along_x(Complex* modes, bool direction) const {
    parallel_for(n, [&](std::size_t y) {
      if (!has(y)) return;
      Complex* const first = modes + y * half;
      pocketfft::c2c(shape_t{n, 1, depth}, steps, steps, shape_t{0}, direction, first, first, 1.0);
    });
  }
  /// Along the second axis, of one plane.
  void along_y(Complex* plane, bool direction) const {
    pocketfft::c2c(shape_t{1, n, depth}, steps, steps, shape_t{1}, direction, plane, plane, 1.0);
  }
};

}  // namespace

void transform(const std::vector<double>& values, std::size_t n, std::vector<Complex>& out,
               std::size_t most) {
  const Modes modes{.n = n, .most = most};
  const stride_t of_grid = strides(n, n, sizeof(double));
  if (out.empty()) out = zeros_in_large_pages<Complex>(n * n * modes.half);
  else out.resize(n * n * modes.half);
  parallel_for(n, [&](std::size_t x) {
    Complex* const plane = out.data() + x * n * modes.half;
    pocketfft::r2c(shape_t{1, n, n}, of_grid, modes.steps, 2, pocketfft::FORWARD, values.data() + x * n * n,
                   plane, 1.0);
    modes.along_y(plane, pocketfft::FORWARD);
  });
  modes.along_x(out.data(), pocketfft::FORWARD);
}

std::vector<Complex> transformed(const std::vector<double>& values, std::size_t n) {
  std::vector<Complex> modes;
  transform(values, n, modes);
  return modes;
}

void transform_back(std::vector<Complex>& in, std::size_t n, std::vector<double>& values, std::size_t most) {
  const Modes modes{.n = n, .most = most};
  const stride_t of_grid = strides(n, n, sizeof(double));
  if (values.empty()) values = zeros_in_large_pages<double>(n * n * n);
  else values.resize(n * n * n);
  modes.along_x(in.data(), pocketfft::BACKWARD);
  parallel_for(n, [&](std::size_t x) {
    Complex* const plane = in.data() + x * n * modes.half;
    modes.along_y(plane, pocketfft::BACKWARD);
    pocketfft::c2r(shape_t{1, n, n}, modes.steps, of_grid, 2, pocketfft::BACKWARD, plane,
                   values.data() + x * n * n, 1.0);
  });
}

}  // namespace pleiad::structure
