/// Light cones: the bodies and their images as an observer at the origin sees them at redshift 0, in shells.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/light_cone.hpp"

#include "io/config/universe.hpp"
#include "run/analysis.hpp"
#include "run/comoving.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* kept_name = "light_cone";

/// Each step adds what the light passes in it. A shell is written when all of its light has passed.
class LightCones : public Output {
 public:
  explicit LightCones(AnalysedRun& run) : Output(run), edges_(edges_of(run.options)) {
    if (edges_.empty()) return;
    if (run.ranks.ranks() > 1)
      throw UsageError(
          "output.light_cone_redshifts: light cones are made on one rank; leave it out, or run without "
          "mpirun",
          Error::Code::unsupported);
    before_ = run.simulation.snapshot();
    if (!before_.units.physical)
      throw UsageError(
          "output.light_cone_redshifts: in N-body units the speed of light has no value; use bodies in units "
          "with a physical scale");
    const auto& o = run.options.cosmology;
    cone_.emplace(config::universe_of(o), structure::light_in(before_.units) / o.hubble, before_.boundary);
    while (shell_ < shells() && edges_[shell_ + 1] <= std::exp(before_.time)) ++shell_;
  }
  void open(const Checkpoint*, std::vector<std::string>&) override {
    if (!edges_.empty()) run_.directory->make_folder("light_cone");
  }
  void restore(const Checkpoint& c) override {
    if (edges_.empty()) return;
    const auto kept = c.extra.find(kept_name);
    if (kept != c.extra.end()) seen_ = structure::seen_bodies_in(kept->second, "the checkpoint");
  }
  Task begin() override {
    look();
    return {};
  }
  void save(Checkpoint& c) const override {
    if (!edges_.empty()) c.extra[kept_name] = structure::bytes_of(seen_);
  }
  /// A run with fixed steps may end within one, from the start of which a longer run goes on.
  void stepped(bool) override {
    const auto& clock = run_.simulation.clock();
    if (edges_.empty() || !(clock.ahead > 0) || clock.time < run_.options.time.t_end) return;
    const auto seen = seen_;
    const auto before = before_;
    const auto shell = shell_;
    look();
    seen_ = seen, before_ = before, shell_ = shell;
  }
  Files files() const override { return {{"last_light_cone", last_}}; }

 private:
  /// Scale factors.
  static std::vector<double> edges_of(const Options& o) {
    std::vector<double> edges;
    for (const double z : o.output.light_cone_redshifts) edges.push_back(cosmology::scale_factor_of(z));
    return edges;
  }
  std::size_t shells() const { return edges_.size() - 1; }

  void look() {
    if (edges_.empty() || shell_ == shells()) return;
    auto now = run_.simulation.snapshot();
    if (!(now.time > before_.time)) return;
    const double from = std::exp(before_.time), to = std::exp(now.time);
    if (to > edges_.front()) {
      auto more = cone_->seen(before_.bodies, from, now.bodies, to);
      std::move(more.begin(), more.end(), std::back_inserter(seen_));
    }
    before_ = std::move(now);
    // The end of the run is met to the rounding of a logarithm.
    const double rounding = shell_ + 1 == shells() ? 1e-12 : 0;
    while (shell_ < shells() && to >= edges_[shell_ + 1] * (1 - rounding)) write();
  }

  /// What was seen from the first edge, included, to the second; what is nearer is of the next shell.
  void write() {
    const double from = edges_[shell_], to = edges_[shell_ + 1];
    const bool last = shell_ + 1 == shells();
    const auto nearer = std::stable_partition(seen_.begin(), seen_.end(), [&](const auto& b) {
      return b.a < to || (last && b.a <= to * (1 + 1e-12));
    });
    std::vector<structure::SeenBody> shell;
    std::copy_if(seen_.begin(), nearer, std::back_inserter(shell),
                 [&](const auto& b) { return b.a >= from; });
    seen_.erase(seen_.begin(), nearer);
    std::ranges::sort(shell, {}, [](const auto& b) { return std::tuple(b.id, b.image); });
    const auto file = run_.directory->file(fmt::format("light_cone/shell_{:03}.hdf5", shell_));
    structure::write_shell(file, shell,
                           {.from = from,
                            .to = to,
                            .furthest = cone_->distance(from),
                            .nearest = cone_->distance(to),
                            .universe = universe_in_files(run_.options),
                            .units = before_.units,
                            .boundary = before_.boundary},
                           run_.directory->how(file));
    last_ = file.string();
    ++shell_;
  }

  std::vector<double> edges_;
  std::optional<structure::LightCone> cone_;
  Snapshot before_;                        ///< at the last look
  std::vector<structure::SeenBody> seen_;  ///< of the shells that are not yet written
  std::size_t shell_ = 0;                  ///< the next that is written
  std::string last_;
};

constexpr std::array<std::string_view, 1> light_cone_keys{"output.light_cone_redshifts"};
constexpr std::array<std::string_view, 1> light_cone_files{"light_cone/shell_*"};

}  // namespace

extern const Analysis analysis_light_cone{
    .name = "light_cone",
    .keys = light_cone_keys,
    .files = light_cone_files,
    .times = [](const Options& o) { return Times{.on = !o.output.light_cone_redshifts.empty(), .steps = 1}; },
    .make = make_output<LightCones>};

}  // namespace pleiad::run
