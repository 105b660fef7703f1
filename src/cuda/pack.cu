/// The caller's arrays to records and back: a thread for each body.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"
#include "cuda/pack.hpp"

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;
Grid grid_for(std::size_t n) { return {.blocks = unsigned((n + threads - 1) / threads), .threads = threads}; }
__device__ inline std::size_t my_body() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Addresses of the components of a body; T may be const.
template <class T>
struct Places {
  T *x, *y, *z;
  std::size_t stride;
  explicit Places(const Vectors<T>& v) : x(v.x()), y(v.y()), z(v.z()), stride(v.stride()) {}
};

template <class T, class Real>
__global__ void pack_each(Places<const T> from, Column<const T> masses, Mass<Real>* to, std::size_t n) {
  const std::size_t i = my_body(), k = i * from.stride;
  if (i >= n) return;
  const T m = masses.first == nullptr ? T(0) : masses.first[i * masses.stride];
  to[i] = {Real(from.x[k]), Real(from.y[k]), Real(from.z[k]), Real(m)};
}
template <class T, class Real>
__global__ void unpack_each(const Vec4<Real>* sums, double G, Places<T> to, Column<T> potentials,
                            std::size_t n) {
  const std::size_t i = my_body(), k = i * to.stride;
  if (i >= n) return;
  const auto s = sums[i];
  to.x[k] = T(G * double(s.x)), to.y[k] = T(G * double(s.y)), to.z[k] = T(G * double(s.z));
  if (potentials.first != nullptr) potentials.first[i * potentials.stride] = T(G * double(s.w));
}
template <class Real>
__global__ void scale_each(Vec4<Real>* sums, double G, std::size_t n) {
  const std::size_t i = my_body();
  if (i >= n) return;
  const auto s = sums[i];
  sums[i] = {Real(G * double(s.x)), Real(G * double(s.y)), Real(G * double(s.z)), Real(G * double(s.w))};
}

template <class Real>
__global__ void add_each(const Vec4<Real>* added, double factor, Vec4<Real>* sums, std::size_t n) {
  const std::size_t i = my_body();
  if (i >= n) return;
  const auto a = added[i];
  const auto s = sums[i];
  sums[i] = {Real(double(s.x) + factor * double(a.x)), Real(double(s.y) + factor * double(a.y)),
             Real(double(s.z) + factor * double(a.z)), s.w};
}

}  // namespace

template <class T, class Real>
void pack(const Vectors<const T>& positions, Column<const T> masses, std::span<Mass<Real>> out,
          void* stream) {
  launch("cuda/pack", pack_each<T, Real>, grid_for(out.size()), stream, Places<const T>(positions), masses,
         out.data(), out.size());
}
template <class T, class Real>
void unpack(std::span<const Vec4<Real>> sums, double G, const Vectors<T>& accelerations, Column<T> potentials,
            void* stream) {
  launch("cuda/unpack", unpack_each<T, Real>, grid_for(sums.size()), stream, sums.data(), G,
         Places<T>(accelerations), potentials, sums.size());
}
template <class Real>
void add_scaled(std::span<const Vec4<Real>> added, double factor, std::span<Vec4<Real>> sums, void* stream) {
  launch("cuda/add scaled", add_each<Real>, grid_for(sums.size()), stream, added.data(), factor, sums.data(),
         sums.size());
}
template <class Real>
void scale(std::span<Vec4<Real>> sums, double G, void* stream) {
  launch("cuda/scale", scale_each<Real>, grid_for(sums.size()), stream, sums.data(), G, sums.size());
}

template void pack(const Vectors<const float>&, Column<const float>, std::span<Mass<float>>, void*);
template void pack(const Vectors<const float>&, Column<const float>, std::span<Mass<double>>, void*);
template void pack(const Vectors<const double>&, Column<const double>, std::span<Mass<float>>, void*);
template void pack(const Vectors<const double>&, Column<const double>, std::span<Mass<double>>, void*);
template void unpack(std::span<const Vec4<float>>, double, const Vectors<float>&, Column<float>, void*);
template void unpack(std::span<const Vec4<double>>, double, const Vectors<float>&, Column<float>, void*);
template void unpack(std::span<const Vec4<float>>, double, const Vectors<double>&, Column<double>, void*);
template void unpack(std::span<const Vec4<double>>, double, const Vectors<double>&, Column<double>, void*);
template void add_scaled(std::span<const Vec4<float>>, double, std::span<Vec4<float>>, void*);
template void add_scaled(std::span<const Vec4<double>>, double, std::span<Vec4<double>>, void*);
template void scale(std::span<Vec4<float>>, double, void*);
template void scale(std::span<Vec4<double>>, double, void*);

}  // namespace pleiad::cuda
