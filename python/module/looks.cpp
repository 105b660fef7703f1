/// Inspection of bodies: validity, diagnostics, pictures.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "core/totals.hpp"
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "render/render.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/radii.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/array.h>

namespace pleiad::python {
namespace {

using Triple = std::array<double, 3>;

Totals totals_by_direct_sums(const Bodies& b, const Gravity& gravity) {
  const auto sums = blocked_sum<BodySums>(b.size(), [&](std::size_t begin, std::size_t end) {
    BodySums all;
    for (std::size_t i = begin; i < end; ++i)
      all += sums_of_body<double>({b.x[i], b.y[i], b.z[i], b.mass[i]}, {b.vx[i], b.vy[i], b.vz[i], 0}, {});
    return all;
  });
  auto totals = totals_of(sums, gravity.G);
  totals.energies = direct_energies(b, gravity);
  return totals;
}

Dict diagnose_bodies(const Dict& data, double softening) {
  auto s = snapshot_of(data);
  if (softening != 0) s.bodies.softening.clear();
  const Gravity gravity{.G = s.G, .softening = {softening}, .boundary = s.boundary};
  return dict_of(without_gil([&] {
    validate(s.bodies, softening, "the bodies");
    const auto totals = totals_by_direct_sums(s.bodies, gravity);
    auto d = diagnose(totals, s.time, s.step, totals.energies.total());
    add_radii(d, s.bodies);
    return d;
  }));
}

Triple centre_of(const Dict& data) {
  const auto s = snapshot_of(data);
  const auto c = without_gil([&] { return density_centre(s.bodies); });
  return {c.x, c.y, c.z};
}

Any radii_about(const Dict& data, const Triple& centre, const std::vector<double>& fractions) {
  const auto s = snapshot_of(data);
  return array_of(without_gil([&] {
    return lagrangian_radii(s.bodies, {centre[0], centre[1], centre[2]}, fractions);
  }));
}

std::array<int, 2> axes_of(const std::string& projection) {
  if (projection == "xy") return {0, 1};
  if (projection == "xz") return {0, 2};
  if (projection == "yz") return {1, 2};
  throw UsageError(fmt::format("projection must be one of xy, xz, yz, not '{}'", projection));
}

/// What the pictures of a projection have in common: the first one chooses.
struct Frame {
  pleiad::View view{};
  Exposure exposure{};
};

nb::bytes picture_of(const Dict& data, int size, const std::string& projection, double extent, Frame* frame) {
  if (size < 16 || size > 16384) throw UsageError(fmt::format("size = {} must be 16 to 16384 pixels", size));
  auto s = snapshot_of(data);
  const bool comoving = universe_in(data).has_value();
  if (comoving) s.time = std::log(s.time);  // as pictures of a run have it
  const auto png = without_gil([&] {
    validate(s.bodies, 1, "the bodies");  // 1: bodies at one place are no matter of a picture's
    const auto axes = axes_of(projection);
    Frame own;
    auto& [fitted, exposure] = frame != nullptr ? *frame : own;
    if (fitted.half_width == 0) fitted = fit_view(s, axes, size);
    auto view = fitted;
    view.axes = axes, view.size = size, view.comoving = comoving;
    if (extent > 0) view.half_width = extent;
    return encode_png(render(s, view, exposure));
  });
  return nb::bytes(png.data(), png.size());
}

}  // namespace

void add_looks(nb::module_& module) {
  module.def(
      "validate",
      [](const Dict& data, double softening, const std::string& origin) {
        validate(snapshot_of(data).bodies, softening, origin);
      },
      nb::arg("snapshot"), nb::arg("softening"), nb::arg("origin"), "InputError for invalid bodies.");
  module.def(
      "state_hash", [](const Dict& data) { return state_hash(snapshot_of(data).bodies); },
      nb::arg("snapshot"), "Equal states, equal hashes: of ids, positions, velocities and masses.");
  module.def("diagnose", diagnose_bodies, nb::arg("snapshot"), nb::arg("softening") = 0.0,
             "Energies by direct sums, momenta, radii.");
  module.def("density_centre", centre_of, nb::arg("snapshot"));
  module.def("lagrangian_radii", radii_about, nb::arg("snapshot"), nb::arg("centre"), nb::arg("fractions"));
  nb::class_<Frame>(module, "Frame", "Centre, width and brightness of a picture, for those that follow.")
      .def(nb::init<>());
  module.def("render", picture_of, nb::arg("snapshot"), nb::arg("size") = 512, nb::arg("projection") = "xy",
             nb::arg("extent") = 0.0, nb::arg("frame").none() = nb::none(),
             "A picture of the bodies, the bytes of a PNG.");
}

}  // namespace pleiad::python
