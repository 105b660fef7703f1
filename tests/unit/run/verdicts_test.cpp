/// `config check`, `--dry-run`, `run` and `--resume` give one verdict about every combination of integrators,
/// precisions, solvers, spaces, formats and units, and a run that is refused leaves nothing behind.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/run.hpp"
#include "sizes.hpp"
#include "unit/scratch.hpp"

#include <pleiad/files.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

constexpr int done = 0;

/// The exit status that this would end with, and the words.
struct Verdict {
  int code = done;
  std::string words;
};
Verdict verdict_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& e) {
    return {int(e.kind()), e.what()};
  }
}

/// Twenty bodies of a galaxy.
std::filesystem::path bodies(const std::filesystem::path& folder) {
  auto s = model("plummer", {{"n", 20}});
  s.units = units_named("galactic");
  s.G = s.units.G();
  auto& b = s.bodies;
  for (auto* a : {&b.x, &b.y, &b.z})
    for (double& v : *a) v += 10;
  for (auto* a : {&b.vx, &b.vy, &b.vz})
    for (double& v : *a) v *= 200;
  const auto file = folder / "bodies.csv";
  write_snapshot(file, s, {.format = &format_named("csv")});
  return file;
}

struct Combination {
  std::string integrator, precision, solver, space, format, units;
  bool ensemble = false;
  std::string text() const {
    return fmt::format("{} {} {} {} {} {}{}", integrator, precision, solver, space, format, units,
                       ensemble ? " ensemble" : "");
  }
};

Options options_of(const Combination& c, const std::filesystem::path& file, const std::filesystem::path& to) {
  Options o;
  o.ic.file = file.string();
  const bool on_orbits = integrator_named(c.integrator).on_orbits;
  o.gravity.softening = on_orbits ? 0 : 0.5;
  o.gravity.stated.softening = true;
  if (c.space != "open") o.gravity.boundary = "periodic", o.gravity.box = {100}, o.gravity.images = c.space;
  o.time.integrator = c.integrator, o.time.dt = 0x1p-16, o.time.t_end = 0x1p-14;
  o.engine.precision = c.precision, o.engine.backend = "cpu", o.engine.tuning = "off";
  if (c.solver.starts_with("cpu/")) o.engine.kernel = c.solver;
  else o.solver.method = c.solver;
  o.output.directory = to.string();
  o.output.snapshot_format = c.format, o.output.snapshot_units = c.units;
  o.output.pictures = o.output.plots = false;
  o.limits.max_energy_error = 0;
  if (c.ensemble) {
    o.ensemble.count = 2, o.ensemble.jitter = 0.01;
    o.ensemble.save = {1}, o.ensemble.final_states = true;
  }
  return o;
}

/// Compares the verdicts about combinations.
class Judge {
 public:
  /// Whether it can be run.
  bool agree(const Combination& c) {
    const auto directory = folder_.path / "run";
    Request request;
    request.options = options_of(c, file_, directory);
    const auto checked = verdict_of([&] { check(request); });
    const auto foreseen = verdict_of([&] { (void)forecast(request); });
    EXPECT_FALSE(std::filesystem::exists(directory)) << c.text();
    const auto ran = verdict_of([&] { (void)execute(request); });
    EXPECT_EQ(checked.code, ran.code) << c.text() << "\ncheck: " << checked.words << "\nrun: " << ran.words;
    EXPECT_EQ(foreseen.code, ran.code)
        << c.text() << "\ndry run: " << foreseen.words << "\nrun: " << ran.words;
    EXPECT_EQ(checked.words, ran.words) << c.text();
    EXPECT_EQ(foreseen.words, ran.words) << c.text();
    EXPECT_EQ(std::filesystem::exists(directory), ran.code == done) << c.text();
    if (ran.code == done) {
      Request again;
      again.resume = directory, again.resume_settings = {"time.t_end=0.00009155273"};
      const auto odd = verdict_of([&] { (void)forecast(again); });
      EXPECT_EQ(odd.code, c.ensemble ? int(Error::Kind::usage) : done) << c.text();
      EXPECT_EQ(verdict_of([&] { (void)execute(again); }).words, odd.words) << c.text();
      again.resume_settings = {"time.t_end=0.0001220703125"};
      EXPECT_EQ(verdict_of([&] { (void)forecast(again); }).words, "") << c.text();
      EXPECT_EQ(verdict_of([&] { (void)execute(again); }).words, "") << c.text();
    }
    std::filesystem::remove_all(directory);
    return ran.code == done;
  }

 private:
  test::Folder folder_;
  std::filesystem::path file_ = bodies(folder_.path);
};

std::vector<std::string> names_of_integrators() {
  std::vector<std::string> names;
  for (const auto* const i : integrators()) names.emplace_back(i->name);
  return names;
}

const std::vector<std::string> precisions{"auto", "f32", "mixed", "f64"},
    solvers{"auto", "direct", "barnes-hut", "fmm", "cpu/scalar"}, spaces{"open", "nearest", "all"},
    units{"auto", "si", "galactic", "nbody", "solar"};

class Verdicts : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Verdicts, AreOneOfAllMethods) {
  const std::vector<std::string> formats(format_names().begin(), format_names().end());
  Judge judge;
  // `make test` tries a third of them, which differ from integrator to integrator.
  const auto names = names_of_integrators();
  const auto turn = std::size_t(std::ranges::find(names, GetParam()) - names.begin());
  const std::size_t few = test::all_or<std::size_t>(1, 3);
  std::size_t k = 0, fine = 0;
  for (const auto& precision : precisions)
    for (const auto& solver : solvers)
      for (const auto& space : spaces)
        for (const bool ensemble : {false, true}) {
          ++k;  // formats and units turn with the methods
          if (k % few != turn % few) continue;
          fine += judge.agree({GetParam(), precision, solver, space, formats[k % formats.size()],
                               units[k / 7 % units.size()], ensemble});
        }
  // Double precision, direct sums, open space and nearest images, in ensembles too; on orbits open space
  // alone.
  const std::size_t least = integrator_named(GetParam()).on_orbits ? few == 1 : few == 1 ? 10 : 1;
  EXPECT_GE(fine, least);
}

INSTANTIATE_TEST_SUITE_P(Integrators, Verdicts, testing::ValuesIn(names_of_integrators()),
                         [](const auto& test) {
                           auto name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(VerdictsOfOutputs, AreOneOfAllFormatsAndUnits) {
  Judge judge;
  for (const auto name : format_names())
    for (const auto& unit : units)
      for (const auto& space : spaces)
        for (const bool ensemble : {false, true})
          judge.agree({"kdk", "auto", "auto", space, std::string(name), unit, ensemble});
}
