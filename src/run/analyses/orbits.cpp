/// Apo- and pericentres of every body, and when bodies leave the tidal radius of one of them, in one table.
///
/// Bodies are sampled every output.orbits_every steps. Between two samples the square u of the distance from
/// the centre is the cubic polynomial that has its values and its rates, u' = 2 d.v, at both: an apsis is
/// where its rate vanishes, and a body leaves where it exceeds the square of the radius. Its error is at most
/// h^4 / 384 of the largest fourth derivative of u, for samples h apart.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "run/analysis.hpp"

#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::string_view orbits_table = "orbits.csv";
constexpr const char* state_name = "orbits";

/// Square of the distance of a body from the centre, and half its rate.
struct OrbitSample {
  std::uint64_t id = 0;
  double square = 0, rate = 0;
};
/// What all bodies are compared with.
struct Centre {
  double time = 0, radius = 0;  ///< radius 0: none is left
};
enum class Event : std::uint64_t { pericentre, apocentre, leaves, enters };
constexpr std::array<std::string_view, 4> event_names{"pericentre", "apocentre", "leaves", "enters"};
struct OrbitRow {
  double time = 0, distance = 0;
  std::uint64_t id = 0;
  Event event = Event::pericentre;
};

/// u between two samples, at the fraction s of the time h between them.
struct Course {
  double u0, u1, du0, du1;  ///< rates times h
  Course(const OrbitSample& from, const OrbitSample& to, double h)
      : u0(from.square), u1(to.square), du0(2 * h * from.rate), du1(2 * h * to.rate) {}
  double at(double s) const {
    const double d = u1 - u0;
    return u0 + s * (du0 + s * (3 * d - 2 * du0 - du1 + s * (du0 + du1 - 2 * d)));
  }
  double rate_at(double s) const {
    const double d = u1 - u0;
    return du0 + s * (2 * (3 * d - 2 * du0 - du1) + 3 * s * (du0 + du1 - 2 * d));
  }
};
/// The fraction where f, of different signs at 0 and 1, vanishes.
template <class F>
double root_of(const F& f) {
  double low = 0, high = 1;
  const bool rises = f(0.0) < 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    ((f(middle) < 0) == rises ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// King (1962): r^3 = G m / (Omega^2 - d^2 phi / dR^2) in the external potentials, for a body at x with
/// velocity v about the origin. 0 where tides do not pull outward.
double tidal_radius(std::span<const Potential> potentials, double G, double mass, const Vec3<double>& x,
                    const Vec3<double>& v, double time) {
  const double r = norm(x);
  if (!(r > 0)) return 0;
  const auto outward = [&](double at) {
    return dot(field_at(potentials, G, x * (at / r), time).acceleration, x) / r;
  };
  // Differences err by h^2 / 6 of the third derivative, and by 2^-53 / h.
  const double h = 1e-5 * r, rise = (outward(r + h) - outward(r - h)) / (2 * h),
               omega = norm(cross(x, v)) / (r * r), pull = omega * omega + rise;
  return pull > 0 ? std::cbrt(G * mass / pull) : 0;
}

class Orbits : public Output {
 public:
  explicit Orbits(AnalysedRun& run) : Output(run) {
    const auto& about = run.options.output.orbits_about;
    if (run.options.output.orbits_every == 0 || about.empty()) return;
    // Later the body may have merged with another one, or been removed.
    if (run.simulation.step() == 0 && !named_body())
      throw UsageError(fmt::format("output.orbits_about: there is no body with id {}", about.front()));
  }
  void open(const Checkpoint* resumed, std::vector<std::string>& notes) override {
    if (run_.options.output.orbits_every > 0)
      open_table(orbits_table, resumed, notes, {"time,id,event,distance"});
  }
  Task begin() override {
    Centre now{.time = run_.simulation.snapshot().time};
    const auto samples = sample(now);
    if (!samples) {
      before_.clear(), has_before_ = false;
      return {};
    }
    if (has_before_ && now.time > then_.time) write_rows(*samples, now);
    before_ = *samples, then_ = now, has_before_ = true, moved_ = false;
    return {};
  }
  void bodies_changed() override { moved_ = true; }
  void save(Checkpoint& c) const override {
    if (run_.options.output.orbits_every == 0 || !has_before_) return;
    const auto all = all_gather<OrbitSample>(run_.ranks, before_).data;
    std::string bytes(sizeof then_ + all.size() * sizeof(OrbitSample), '\0');
    std::memcpy(bytes.data(), &then_, sizeof then_);
    if (!all.empty()) std::memcpy(bytes.data() + sizeof then_, all.data(), all.size() * sizeof(OrbitSample));
    c.extra[state_name] = std::move(bytes);
  }
  void restore(const Checkpoint& c) override {
    const auto found = c.extra.find(state_name);
    if (found == c.extra.end()) return;
    const auto& bytes = found->second;
    if (bytes.size() < sizeof then_ || (bytes.size() - sizeof then_) % sizeof(OrbitSample) != 0)
      throw InputError(fmt::format("the checkpoint's {} has {} bytes; it must be {} and {} of each body",
                                   state_name, bytes.size(), sizeof then_, sizeof(OrbitSample)));
    std::memcpy(&then_, bytes.data(), sizeof then_);
    has_before_ = moved_ = true;
    if (!run_.leads()) return;  // the samples are matched by ids, wherever they are
    before_.resize((bytes.size() - sizeof then_) / sizeof(OrbitSample));
    if (!before_.empty())
      std::memcpy(before_.data(), bytes.data() + sizeof then_, before_.size() * sizeof(OrbitSample));
  }

 private:
  struct Named {
    double mass = 0;
    Vec3<double> x{}, v{};
  };
  /// The body in output.orbits_about, on all ranks; none if it is not there.
  std::optional<Named> named_body() const {
    const auto wanted = run_.options.output.orbits_about.front();
    const auto& b = run_.simulation.snapshot().bodies;
    std::vector<Named> here;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (b.id[i] == wanted) here.push_back({b.mass[i], b.position(i), b.velocity(i)});
    const auto all = all_gather<Named>(run_.ranks, here).data;
    return all.empty() ? std::nullopt : std::optional(all.front());
  }
  /// The samples of the bodies of this rank; none where the body that they are measured from is gone.
  std::optional<std::vector<OrbitSample>> sample(Centre& centre) const {
    const auto& s = run_.simulation.snapshot();
    const auto& o = run_.options;
    Named about;
    if (!o.output.orbits_about.empty()) {
      const auto named = named_body();
      if (!named) return std::nullopt;
      about = *named;
      centre.radius = o.output.orbits_radius > 0 ? o.output.orbits_radius
                                                 : tidal_radius(run_.simulation.gravity().potentials, s.G,
                                                                about.mass, about.x, about.v, s.time);
    } else {
      centre.radius = o.output.orbits_radius;
    }
    std::vector<OrbitSample> samples(s.bodies.size());
    for_each_index(samples.size(), [&](std::size_t i) {
      const auto d = s.bodies.position(i) - about.x, v = s.bodies.velocity(i) - about.v;
      samples[i] = {s.bodies.id[i], dot(d, d), dot(d, v)};
    });
    return samples;
  }
  /// The last samples of the same bodies, which may have been on other ranks, since mergers and removals
  /// divide the bodies anew. Of a body that had none: `now` itself.
  std::vector<OrbitSample> before(const std::vector<OrbitSample>& now) const {
    if (!moved_) return before_;
    auto all = all_gather<OrbitSample>(run_.ranks, before_).data;
    std::ranges::sort(all, {}, &OrbitSample::id);
    auto found = now;
    for (auto& each : found)
      if (const auto at = std::ranges::lower_bound(all, each.id, {}, &OrbitSample::id);
          at != all.end() && at->id == each.id)
        each = *at;
    return found;
  }
  void write_rows(const std::vector<OrbitSample>& samples, const Centre& now) {
    const auto& ids = run_.simulation.snapshot().bodies.id;
    const double h = now.time - then_.time;
    const auto& about = run_.options.output.orbits_about;
    std::vector<OrbitRow> own;
    const auto last = before(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (!about.empty() && ids[i] == about.front()) continue;
      const auto &from = last[i], &to = samples[i];
      const Course course(from, to, h);
      const auto add = [&](double s, Event event) {
        own.push_back({then_.time + s * h, std::sqrt(std::max(0.0, course.at(s))), ids[i], event});
      };
      if ((from.rate < 0) != (to.rate < 0))
        add(root_of([&](double s) { return course.rate_at(s); }),
            from.rate < 0 ? Event::pericentre : Event::apocentre);
      const auto beyond = [&](double s) {
        const double r = then_.radius + s * (now.radius - then_.radius);
        return course.at(s) - r * r;
      };
      if (then_.radius > 0 && now.radius > 0 && (beyond(0) < 0) != (beyond(1) < 0))
        add(root_of(beyond), beyond(0) < 0 ? Event::leaves : Event::enters);
    }
    const auto rows = all_gather<OrbitRow>(run_.ranks, own).data;
    if (!run_.leads()) return;
    for (const auto& row : rows)
      table_->append(fmt::format("{:.17g},{},{},{:.17g}", row.time, row.id,
                                 event_names[std::size_t(row.event)], row.distance));
  }

  Centre then_;                      ///< of the last sample
  std::vector<OrbitSample> before_;  ///< then
  bool has_before_ = false;          ///< on any rank
  bool moved_ = false;               ///< bodies may have other places, or be on other ranks, than then
};

constexpr std::array<std::string_view, 3> orbits_keys{"output.orbits_every", "output.orbits_about",
                                                      "output.orbits_radius"};

}  // namespace

extern const Analysis analysis_orbits{.name = "orbits",
                                      .keys = orbits_keys,
                                      .table = orbits_table,
                                      .times =
                                          [](const Options& o) {
                                            return Times{.on = o.output.orbits_every > 0,
                                                         .steps = o.output.orbits_every};
                                          },
                                      .make = make_output<Orbits>};

}  // namespace pleiad::run
