/// Pictures: the view holds what it should, odd snapshots do no harm, and a PNG is the image.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "render/font.hpp"
#include "render/label.hpp"
#include "render/render.hpp"
#include "render/sparse_path.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

using namespace pleiad;
namespace fs = std::filesystem;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A round cloud with a wide tail.
Snapshot cloud(std::size_t n, Vec3<double> centre = {}, Type type = Type::halo) {
  Snapshot s;
  for (std::uint64_t i = 0; i < n; ++i) {
    Random r(21, i);
    const double u = std::sqrt(0.98 * r.uniform());
    s.bodies.add(1.0 / double(n), centre + r.direction() * (u / (1 - u)), {}, type);
  }
  return s;
}

Image picture(const Snapshot& s, int size = 128) {
  Exposure exposure;
  return render(s, fit_view(s, {0, 1}, size), exposure);
}

/// The brightest channel of any pixel of the upper three quarters, where no label is.
int brightest(const Image& image) {
  return *std::max_element(image.rgb.begin(), image.rgb.begin() + std::ptrdiff_t(image.rgb.size() * 3 / 4));
}

fs::path scratch(const std::string& name) {
  const fs::path folder = fs::path(testing::TempDir()) / ("pleiad_render_" + std::to_string(getpid()));
  fs::create_directories(folder);
  return folder / name;
}

double mass_in_view(const Bodies& b, const View& v) {
  double m = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (std::abs(b.x[i] - v.centre.x) <= v.half_width && std::abs(b.y[i] - v.centre.y) <= v.half_width)
      m += b.mass[i];
  return m;
}

}  // namespace

TEST(View, HoldsMostOfTheMassButNotTheStragglers) {
  Snapshot s = cloud(5000, {100, -50, 3});
  s.bodies.add(1e-4, {1e6, 0, 0}, {});
  const View v = fit_view(s, {0, 1}, 128);
  EXPECT_GE(mass_in_view(s.bodies, v), 0.979);
  EXPECT_LE(v.half_width, 100);
  // The median of 5000 bodies of a cloud with half-mass radius 2.4 is known to 2.4 / sqrt(5000) = 0.03; ten
  // of that.
  EXPECT_LE(std::abs(v.centre.x - 100), 0.34);
  EXPECT_LE(std::abs(v.centre.y + 50), 0.34);
}

TEST(View, LooksAtWhatShinesWhereThereIsAny) {
  Snapshot s = cloud(2000);
  for (auto* a : {&s.bodies.x, &s.bodies.y, &s.bodies.z})
    for (double& v : *a) v *= 100;
  s.bodies.append(cloud(2000, {}, Type::disc).bodies);
  const View disc = fit_view(cloud(2000, {}, Type::disc), {0, 1}, 128);
  EXPECT_EQ(fit_view(s, {0, 1}, 128).half_width, disc.half_width);
}

TEST(View, HoldsEveryOneOfFewBodiesWhereverTheyTurn) {
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {});
  s.bodies.add(1e-6, {30, 0, 0}, {});
  const View v = fit_view(s, {0, 1}, 128);
  EXPECT_GE(v.half_width, 30);
  EXPECT_LE(v.half_width, 45);
}

TEST(View, StaysUntilItsBodiesTravelAndThenFollowsThem) {
  View v{.centre = {5, 0, 0}, .half_width = 20};
  for (const Vec3<double> trembling : {Vec3<double>{5.9, 0, 0}, {5, -0.9, 0.3}, {not_a_number, 0, 0}}) {
    follow(v, trembling);
    EXPECT_EQ(v.centre.x, 5);
    EXPECT_EQ(v.centre.y, 0);
  }
  follow(v, {5, 100, 0});
  EXPECT_EQ(v.centre.x, 5);
  EXPECT_NEAR(v.centre.y, 99, 1e-12);  // a twentieth of 20 behind
  EXPECT_EQ(v.half_width, 20);
}

TEST(View, ShowsAPeriodicBoxWhole) {
  Snapshot s = cloud(100);
  s.boundary = {.periodic = true, .length = {4, 2, 8}};
  const View v = fit_view(s, {0, 1}, 128);
  EXPECT_EQ(v.half_width, 2);
  EXPECT_EQ(v.centre, (Vec3<double>{2, 1, 4}));
}

TEST(View, IsUsableForDegenerateSnapshots) {
  Snapshot empty, point, broken;
  for (int i = 0; i < 200; ++i)
    point.bodies.add(1, {7, 7, 7}, {}), broken.bodies.add(1, {not_a_number, 0, 0}, {});
  for (const Snapshot* s : {&empty, &point, &broken}) {
    const View v = fit_view(*s, {0, 2}, 64);
    EXPECT_GT(v.half_width, 0);
    EXPECT_LE(v.half_width, 10);
    EXPECT_LE(norm(v.centre), 13);
  }
}

TEST(View, ThatMakesNoSenseIsRefused) {
  const Snapshot s = cloud(100);
  Exposure e;
  EXPECT_THROW(render(s, {.half_width = 1, .size = 0}, e), UsageError);
  EXPECT_THROW(render(s, {.half_width = 1, .size = 100000}, e), UsageError);
  EXPECT_THROW(render(s, {.axes = {0, 0}, .half_width = 1}, e), UsageError);
  EXPECT_THROW(render(s, {.axes = {0, 3}, .half_width = 1}, e), UsageError);
  EXPECT_THROW(render(s, {.half_width = not_a_number}, e), UsageError);
  EXPECT_THROW(render(s, {.centre = {not_a_number, 0, 0}, .half_width = 1}, e), UsageError);
}

TEST(Picture, HasTheSamePixelsForAnyNumberOfThreads) {
  Snapshot s = cloud(3000);
  s.bodies.append(cloud(2000, {1, 1, 0}, Type::disc).bodies);
  set_threads(1);
  const Image one = picture(s, 200);
  set_threads(3);
  const Image three = picture(s, 200);
  set_threads(0);
  EXPECT_EQ(one.rgb, three.rgb);
}

/// The bodies that a rank has: of four the third has none.
Snapshot part_of(const Snapshot& s, int rank) {
  const std::size_t n = s.bodies.size();
  const std::array<std::size_t, 5> begins{0, n / 5, n / 2, n / 2, n};
  Snapshot part;
  part.boundary = s.boundary;
  for (std::size_t i = begins[std::size_t(rank)]; i < begins[std::size_t(rank) + 1]; ++i) {
    part.bodies.add(s.bodies.mass[i], s.bodies.position(i), {}, s.bodies.type[i]);
    part.bodies.id.back() = i;
  }
  return part;
}

TEST(Picture, OfSeveralRanksHasThePixelsOfOneProcess) {
  Snapshot galaxy = cloud(6000, {}, Type::halo);
  for (std::size_t i = 0; i < 6000; i += 3) galaxy.bodies.type[i] = Type::disc, galaxy.bodies.mass[i] = 0;
  Snapshot box = cloud(500);
  box.boundary = {.periodic = true, .length = {1, 1, 1}};
  Snapshot few = cloud(20), many = cloud(300000);
  for (Snapshot* s : {&galaxy, &box, &few, &many}) {
    Exposure exposure;
    const auto view = fit_view(*s, {0, 1}, 100);
    const auto alone = render(*s, view, exposure);
    ranks::with_simulated_ranks(4, [&](ranks::Communicator& t) {
      Exposure own;
      const auto part = part_of(*s, t.rank());
      const auto fitted = fit_view(part, {0, 1}, 100, t);
      EXPECT_EQ(fitted.half_width, view.half_width);
      EXPECT_EQ(fitted.centre, view.centre);
      const auto image = render(part, fitted, own, nullptr, t);
      if (t.rank() != 0) {
        EXPECT_TRUE(image.rgb.empty());
        return;
      }
      EXPECT_EQ(image.rgb, alone.rgb);
      EXPECT_EQ(own.low, exposure.low);
      EXPECT_EQ(own.high, exposure.high);
    });
  }
}

TEST(Picture, OfOddSnapshotsIsAPictureAllTheSame) {
  Snapshot empty, one, coincident = cloud(0), broken = cloud(500), massless = cloud(500), far,
                       heavy = cloud(1000);
  one.bodies.add(3, {1, 2, 3}, {});
  for (int i = 0; i < 1000; ++i) coincident.bodies.add(1, {1, 2, 3}, {});
  broken.bodies.x[3] = not_a_number, broken.bodies.mass[4] = not_a_number,
  broken.bodies.y[5] = std::numeric_limits<double>::infinity();
  for (double& m : massless.bodies.mass) m = 0;
  for (std::uint64_t i = 0; i < 100; ++i) far.bodies.add(1, Random(1, i).direction() * 1e18, {});
  heavy.bodies.mass[0] = 1e12;
  const std::vector<std::pair<const char*, const Snapshot*>> cases{
      {"one", &one},       {"coincident", &coincident},
      {"broken", &broken}, {"massless", &massless},
      {"far", &far},       {"heavy", &heavy}};
  EXPECT_LE(brightest(picture(empty)), 12);
  for (const auto& [name, s] : cases) {
    const Image image = picture(*s);
    EXPECT_EQ(image.rgb.size(), 3u * 128 * 128) << name;
    // A NaN brightness would come out black or white everywhere: there must be something to see, and there
    // must be sky.
    EXPECT_GE(brightest(image), 60) << name;
    EXPECT_LE(int(*std::min_element(image.rgb.begin(), image.rgb.end())), 60) << name;
  }
}

TEST(Picture, KeepsItsExposureBetweenFrames) {
  const Snapshot s = cloud(5000);
  Snapshot half = s;
  for (double& m : half.bodies.mass) m *= 0.1;
  const View view = fit_view(s, {0, 1}, 128);
  Exposure exposure;
  const Image first = render(s, view, exposure);
  const Exposure fixed = exposure;
  const Image second = render(half, view, exposure);
  EXPECT_EQ(exposure.high, fixed.high);
  EXPECT_EQ(exposure.low, fixed.low);
  double a = 0, b = 0;
  for (const auto v : first.rgb) a += v;
  for (const auto v : second.rgb) b += v;
  EXPECT_LT(b, 0.9 * a);  // a tenth of the light is seen to be darker
}

TEST(Picture, DrawsWhereFewBodiesHaveBeen) {
  Trails trails;
  Exposure exposure;
  View view{.half_width = 2, .size = 128};
  Image image;
  for (int k = 0; k < 20; ++k) {
    Snapshot s;
    s.bodies.add(1, {-1 + 0.1 * k, 0, 0}, {});
    image = render(s, view, exposure, &trails);
  }
  EXPECT_EQ(trails.paths.at(0).size(), 20u);
  const auto red = [&](int x, int y) { return int(image.rgb[3 * std::size_t(y * 128 + x)]); };
  EXPECT_GE(red(64, 64), 30);  // on the line, half way
  EXPECT_LE(red(64, 50), 12);  // beside it
}

TEST(Trails, OfFewPlacesAnOrbitAreNoLine) {
  const auto circle = [](double places_an_orbit) {
    std::vector<Vec3<double>> places;
    for (int k = 0; k < 50; ++k) {
      const double angle = 2 * std::numbers::pi * k / places_an_orbit;
      places.push_back({std::cos(angle), std::sin(angle), 0});
    }
    return places;
  };
  EXPECT_FALSE(render_detail::sparse_path(circle(9)));
  for (const double places : {7.0, 3.0, 1.9, 0.7}) EXPECT_TRUE(render_detail::sparse_path(circle(places)));
  // Two sharp turns among fifty places are encounters.
  auto met = circle(100);
  for (const std::size_t at : {15, 30})
    for (std::size_t k = at; k < met.size(); ++k) met[k] = met[at] - (met[k] - met[at]);
  EXPECT_FALSE(render_detail::sparse_path(met));
  EXPECT_FALSE(render_detail::sparse_path({}));
}

TEST(Png, DecodesBackToTheSamePixels) {
  Image image{37, 23, std::vector<std::uint8_t>(37 * 23 * 3)};
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = std::uint8_t(Random(9, i).bits());
  const fs::path file = scratch("pixels.png");
  write_png(file, image);
  const std::string bytes = read_file(file);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size())) << header.message;
  EXPECT_EQ(header.width, 37u);
  EXPECT_EQ(header.height, 23u);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> decoded(PNG_IMAGE_SIZE(header));
  ASSERT_TRUE(png_image_finish_read(&header, nullptr, decoded.data(), 0, nullptr)) << header.message;
  EXPECT_EQ(decoded, image.rgb);
  fs::remove_all(file.parent_path());
}

TEST(Png, ThatCannotBeWrittenIsRefusedWithTheFileName) {
  const Image image{2, 2, std::vector<std::uint8_t>(12)};
  try {
    write_png("/nowhere/at/all/x.png", image);
    FAIL() << "it was written";
  } catch (const ResourceError& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/at/all/x.png"), std::string::npos) << e.what();
  }
  EXPECT_THROW(write_png(scratch("short.png"), {2, 2, std::vector<std::uint8_t>(11)}), UsageError);
}

TEST(Label, TheScaleBarIsRoundAndFits) {
  const struct {
    const char* units;
    double half_width;
    const char* words;
  } rows[] = {{"galactic", 30, "10 kpc"},
              {"galactic", 0.004, "1 pc"},
              {"galactic", 3000, "1 Mpc"},
              {"solar", 36, "10 au"},
              {"solar", 1.2, "0.5 au"},
              {"solar", 1e-4, "5000 km"},
              {"nbody", 2, "0.5"},
              {"nbody", 3e-7, "1e-7"},
              {"nbody", 1e10, "2e9"},
              {"cluster", 5, "2 pc"},
              {"si", 5, "2 m"},
              {"si", 4.5e8, "200000 km"}};
  for (const auto& row : rows) {
    const auto bar = render_detail::scale_bar({.half_width = row.half_width}, units_named(row.units));
    EXPECT_EQ(bar.words, row.words);
    EXPECT_GE(bar.length / (2 * row.half_width), 0.08) << row.words;
    EXPECT_LE(bar.length / (2 * row.half_width), 0.2401) << row.words;
  }
}

TEST(Label, ComovingPicturesHaveARedshiftAndLengthsPerH) {
  const View view{.half_width = 50000, .comoving = true};
  EXPECT_EQ(render_detail::scale_bar(view, units_named("galactic")).words, "20 Mpc/h");
  EXPECT_EQ(render_detail::redshift_label(std::log(0.1)), "z = 9.00");
  EXPECT_EQ(render_detail::redshift_label(1e-17), "z = 0.00");
  EXPECT_EQ(render_detail::redshift_label(not_a_number), "");
}

TEST(Label, TheFontHasAllOfTheirLetters) {
  std::string words = render_detail::redshift_label(0) + "-1e+5.";
  for (const double half_width : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6})
    for (const char* units : {"galactic", "cluster", "solar", "si", "cgs"})
      for (const bool comoving : {false, true}) {
        const View view{.half_width = half_width, .comoving = comoving};
        words += render_detail::scale_bar(view, units_named(units)).words;
        words += render_detail::time_label(half_width, units_named(units));
      }
  for (const char letter : words) EXPECT_TRUE(render_detail::has_letter(letter)) << letter;
}

TEST(Label, TheTimeKeepsItsUnitFromZeroOn) {
  EXPECT_EQ(render_detail::time_label(0, units_named("galactic")), "t = 0.000 Gyr");
  EXPECT_EQ(render_detail::time_label(1, units_named("galactic")), "t = 0.978 Gyr");
  EXPECT_EQ(render_detail::time_label(6.283185307179586, units_named("solar")), "t = 1.000 yr");
  EXPECT_EQ(render_detail::time_label(2, units_named("cluster")), "t = 1.956 Myr");
  EXPECT_EQ(render_detail::time_label(3.15576e7 * 1e5, units_named("si")), "t = 100.0 kyr");
  EXPECT_EQ(render_detail::time_label(12.5, units_named("nbody")), "t = 12.500");
  EXPECT_EQ(render_detail::time_label(not_a_number, units_named("nbody")), "");
}
