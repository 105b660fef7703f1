/// The light that a device lays for a picture is what the host lays, for galaxies of several types and in
/// periodic boxes, on one device and on several.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/splat.hpp"

#include "core/larger.hpp"
#include "cuda/device/memory.hpp"
#include "gpu.hpp"
#include "render/image_planes.hpp"
#include "render/project.hpp"
#include "render/render.hpp"
#include "render/splat.hpp"

#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

Snapshot galaxies() {
  return make_model("encounter", std::array{std::string("n=4000"), std::string("disc_share=0.4")}, 1);
}

template <class T>
splat::ImagePlanes on_device(const Snapshot& s, const View& view) {
  std::vector<Mass<T>> x;
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    x.push_back({T(s.bodies.x[i]), T(s.bodies.y[i]), T(s.bodies.z[i]), T(s.bodies.mass[i])});
  const cuda::Buffer<Mass<T>> bodies{std::span<const Mass<T>>(x)};
  const auto shine = splat::luminosities_of(s.bodies);
  std::shared_ptr<cuda::LayerStaging> staging;
  return cuda::begin_image_planes(
      bodies.data(), x.size(), image_planes_for(view, s.boundary, shine, s.bodies.type), staging, nullptr)();
}

/// Counts alike, and light but for the roundings of its sums: thousands of additions to a pixel.
void expect_layers_of_the_host(const Snapshot& s, const View& view) {
  const auto layers = on_device<double>(s, view);
  const auto spots = render_detail::project(s, view);
  std::array<std::size_t, splat::types> counts;
  std::ranges::transform(spots, counts.begin(), [](const auto& of_type) { return of_type.size(); });
  const auto smoothing = image_planes_for(view, s.boundary, {}, {}).smoothing(counts);
  for (std::size_t k = 0; k < splat::types; ++k) {
    EXPECT_EQ(layers[k].spots, spots[k].size()) << "type " << k;
    if (spots[k].empty()) continue;
    const auto host = render_detail::layer_of(spots[k], view.size, smoothing[k]);
    EXPECT_EQ(layers[k].counts, host.counts) << "type " << k;
    ASSERT_EQ(layers[k].light.size(), host.light.size());
    const double brightest = *std::ranges::max_element(host.light);
    double off = 0;
    for (std::size_t p = 0; p < host.light.size(); ++p)
      take_larger(off, std::abs(layers[k].light[p] - host.light[p]));
    EXPECT_LE(off, 1e-9 * brightest) << "type " << k;
    EXPECT_GT(brightest, 0);
  }
}

class LightOnADevice : public Gpu {};

TEST_F(LightOnADevice, IsThatOfTheHost) {
  const auto s = galaxies();
  for (const int size : {64, 257}) expect_layers_of_the_host(s, fit_view(s, {0, 1}, size));
  auto aside = fit_view(s, {2, 0}, 100);
  aside.centre.x += 0.8 * aside.half_width;  // some are outside
  expect_layers_of_the_host(s, aside);
}

TEST_F(LightOnADevice, ComesFromAllImagesInAPeriodicBox) {
  Snapshot s;
  s.boundary = {.periodic = true, .length = {2, 1, 1}};
  for (std::uint64_t i = 0; i < 500; ++i) {
    Random r(4, i);
    s.bodies.add(i % 5 == 0 ? 0 : 1, {r.uniform(-2, 4), r.uniform(0, 1), r.uniform(0, 1)}, {},
                 i % 7 == 0 ? Type::star : Type::halo);
  }
  expect_layers_of_the_host(s, fit_view(s, {0, 1}, 128));
}

TEST_F(LightOnADevice, LeavesOutWhatIsNotFinite) {
  auto s = galaxies();
  s.bodies.x[7] = std::numeric_limits<double>::quiet_NaN();
  s.bodies.y[9] = std::numeric_limits<double>::infinity();
  expect_layers_of_the_host(s, {.axes = {0, 1}, .half_width = 40, .size = 64});
}

TEST_F(LightOnADevice, OfNoBodiesIsNone) {
  const auto layers = on_device<float>({}, {.half_width = 1, .size = 64});
  for (const auto& layer : layers) EXPECT_EQ(layer.spots, 0);
}

TEST_F(LightOnADevice, MakesThePictureThatASnapshotMakes) {
  const auto s = galaxies();
  const auto view = fit_view(s, {0, 1}, 200);
  Exposure one, other;
  const auto expected = render(s, view, one);
  const auto image = render(on_device<double>(s, view), {s.time, s.units, s.boundary}, view, other);
  ASSERT_EQ(image.rgb.size(), expected.rgb.size());
  std::size_t different = 0;
  for (std::size_t p = 0; p < image.rgb.size(); ++p) {
    EXPECT_LE(std::abs(int(image.rgb[p]) - int(expected.rgb[p])), 1);
    different += image.rgb[p] != expected.rgb[p];
  }
  EXPECT_LE(different, image.rgb.size() / 1000);
}

}  // namespace
}  // namespace pleiad
