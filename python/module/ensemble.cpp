/// Many small systems at once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "direct/usual_precision.hpp"
#include "integrate/individual.hpp"
#include "module/arrays.hpp"
#include "module/bodies.hpp"

#include <pleiad/ensemble.hpp>
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::python {
namespace {

template <class T>
T entry(const Dict& data, const char* key, T otherwise) {
  if (!data.contains(key) || data[key].is_none()) return otherwise;
  T value{};
  if (nb::try_cast(data[key], value)) return value;
  throw UsageError(fmt::format("{} of a member's method is of another type", key));
}

Member member_of(const Dict& state, const Dict& how) {
  static constexpr std::array<std::string_view, 11> keys{
      "softening", "dt",        "integrator", "adaptive",     "eta",      "damping",
      "corrector", "dimension", "groups",     "group_radius", "slow_down"};
  for (const auto [key, value] : how)
    if (const auto name = nb::cast<std::string>(key); std::ranges::find(keys, name) == keys.end())
      throw UsageError(fmt::format("a member's method has no '{}'{}", name, did_you_mean(name, keys)));
  auto snapshot = snapshot_of(state);
  const Gravity gravity{.G = snapshot.G,
                        .softening = {entry(how, "softening", 0.0)},
                        .boundary = snapshot.boundary,
                        .dimension = entry(how, "dimension", 3)};
  const auto& integrator = integrator_named(entry(how, "integrator", std::string("kdk")));
  const auto groups = entry(how, "groups", std::string(name_of(CloseGroups::off)));
  const auto known = std::ranges::find(close_groups_names, groups);
  if (known == close_groups_names.end())
    throw UsageError(
        fmt::format("groups must be one of {}, not '{}'", fmt::join(close_groups_names, ", "), groups));
  const Method method{.integrator = &integrator,
                      .dt = entry(how, "dt", 0.0),
                      .adaptive = entry(how, "adaptive", false),
                      .eta = entry(how, "eta", usual_eta(integrator.name)),
                      .damping = entry(how, "damping", 1.0),
                      .blocks = {.groups = static_cast<CloseGroups>(known - close_groups_names.begin()),
                                 .group_radius = entry(how, "group_radius", 0.0),
                                 .slow_down = entry(how, "slow_down", true)},
                      .corrector = entry(how, "corrector", 0)};
  validate(snapshot.bodies, gravity.softening.eps, "a member");
  return pleiad::member_of(std::move(snapshot), gravity, method);
}

/// "auto": as for a run, by the bodies of one system.
Precision precision_of(const std::string& asked, const std::vector<Member>& members,
                       const std::optional<ForceMethod>& named) {
  if (asked != "auto") return precision_named(asked);
  const auto in_double = [&](const Member& m) {
    const auto shares = shares_of(m.state.bodies.mass);
    return usual_precision(shares, named, m.gravity, m.method.integrator).precision == Precision::f64;
  };
  return std::ranges::any_of(members, in_double) ? Precision::f64 : Precision::mixed;
}

Ensemble make(const Dicts& snapshots, nb::handle methods, const std::string& precision,
              const std::string& backend, const std::string& kernel, int threads) {
  const bool one_for_all = nb::isinstance<nb::dict>(methods);
  const std::size_t n = snapshots.size();
  if (!one_for_all && nb::len(methods) != n)
    throw UsageError(fmt::format("there are {} methods for {} members", nb::len(methods), n));
  std::vector<Member> members;
  members.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    const nb::object how = one_for_all ? nb::borrow(methods) : nb::object(methods[k]);
    members.push_back(member_of(nb::cast<Dict>(snapshots[k]), nb::cast<Dict>(how)));
  }
  const auto named = force_method_of(kernel);
  const EngineOptions options{.precision = precision_of(precision, members, named),
                              .backend = backend,
                              .method = named,
                              .threads = threads};
  return without_gil([&] { return Ensemble(std::move(members), options); });
}

/// One column of the members' diagnostics.
template <class T, class Look>
Any column(const std::vector<MemberDiagnostics>& all, const Look& look) {
  std::vector<T> numbers(all.size());
  std::ranges::transform(all, numbers.begin(), look);
  return array_of(std::move(numbers));
}

class Systems {
 public:
  explicit Systems(Ensemble ensemble) : ensemble_(std::move(ensemble)) {}

  void run_until(double time) {
    work([&] {
      // In pieces that take about a tenth of a second, so that Ctrl-C ends it between two.
      for (std::uint64_t limit = 1; !ensemble_.run_towards(time, limit);
           limit = std::min<std::uint64_t>(2 * limit, 1024)) {
        const nb::gil_scoped_acquire python;
        obey_signals();
      }
    });
  }
  bool run_towards(double time, std::uint64_t limit) {
    bool there = false;
    work([&] { there = ensemble_.run_towards(time, limit); });
    return there;
  }
  void limit_steps(std::uint64_t most) { ensemble_.limit_steps(most); }
  void retire(std::size_t k, const std::string& why) {
    need_member(k);
    for (int s = 0; s <= int(MemberStatus::step_too_small); ++s)
      if (name_of(MemberStatus(s)) == why) return ensemble_.retire(k, MemberStatus(s));
    throw UsageError(fmt::format("no status '{}' of a member", why));
  }
  std::size_t size() const { return ensemble_.size(); }
  std::vector<std::string> statuses() const {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < size(); ++k) all.emplace_back(name_of(ensemble_.status(k)));
    return all;
  }
  Any times() const {
    std::vector<double> all(size());
    for (std::size_t k = 0; k < size(); ++k) all[k] = ensemble_.clock(k).time;
    return array_of(std::move(all));
  }
  Any steps() const {
    std::vector<std::uint64_t> all(size());
    for (std::size_t k = 0; k < size(); ++k) all[k] = ensemble_.clock(k).step;
    return array_of(std::move(all));
  }
  Dict snapshot(std::size_t k) {
    need_member(k);
    return dict_of(ensemble_.snapshot(k));
  }
  Dict diagnostics() {
    std::vector<MemberDiagnostics> all(size());
    work([&] {
      parallel_for(size(),
                   [&](std::size_t k) { all[k] = diagnose(ensemble_.snapshot(k), ensemble_.gravity(k)); });
    });
    using D = MemberDiagnostics;
    if (start_.empty()) start_ = all;
    std::vector<double> errors(size());
    for (std::size_t k = 0; k < size(); ++k) {
      const auto& start = start_[k].energies;
      errors[k] = energy_error(all[k].energies.total() - start.total(), energy_scale(start.total(), start));
    }
    Dict table;
    table["time"] = column<double>(all, &D::time);
    table["step"] = column<std::uint64_t>(all, &D::step);
    table["kinetic"] = column<double>(all, [](const D& d) { return d.energies.kinetic; });
    table["potential"] = column<double>(all, [](const D& d) { return d.energies.potential; });
    table["energy"] = column<double>(all, [](const D& d) { return d.energies.total(); });
    table["energy_error"] = array_of(std::move(errors));
    table["virial_ratio"] = column<double>(all, &D::virial_ratio);
    table["half_mass_radius"] = column<double>(all, &D::half_mass_radius);
    table["closest"] = column<double>(all, &D::closest);
    table["bound"] = column<double>(all, &D::bound);
    table["escapers"] = column<std::uint64_t>(all, &D::escapers);
    table["escaper"] = column<std::uint64_t>(all, &D::escaper);
    std::vector<double> momenta;
    for (const auto& d : all)
      momenta.insert(momenta.end(), {d.angular_momentum.x, d.angular_momentum.y, d.angular_momentum.z});
    table["angular_momentum"] = array_of(std::move(momenta), 3);
    return table;
  }
  Dict describe() const { return dict_of(ensemble_.describe()); }

 private:
  void need_member(std::size_t k) const {
    if (k >= size()) throw UsageError(fmt::format("there is no member {}: there are {}", k, size()));
  }
  template <class Work>
  void work(const Work& work) {
    alone(busy_, "Ensemble", work);
  }

  Ensemble ensemble_;
  std::vector<MemberDiagnostics> start_;  ///< the first ones, to which energy errors refer
  bool busy_ = false;                     ///< see alone()
};

}  // namespace

void add_ensemble(nb::module_& module) {
  nb::class_<Systems>(module, "Ensemble", "Systems advanced together, each from a snapshot and by a method.")
      .def(
          "__init__",
          [](Systems* self, const Dicts& snapshots, nb::handle methods, const std::string& precision,
             const std::string& backend, const std::string& kernel, int threads) {
            new (self) Systems(make(snapshots, methods, precision, backend, kernel, threads));
          },
          nb::arg("snapshots"), nb::arg("methods"), nb::arg("precision") = "mixed",
          nb::arg("backend") = "auto", nb::arg("kernel") = "auto", nb::arg("threads") = 0)
      .def("run_until", &Systems::run_until, nb::arg("time"))
      .def("run_towards", &Systems::run_towards, nb::arg("time"), nb::arg("limit"))
      .def("limit_steps", &Systems::limit_steps, nb::arg("most"))
      .def("retire", &Systems::retire, nb::arg("k"), nb::arg("status"))
      .def_prop_ro("size", &Systems::size)
      .def_prop_ro("statuses", &Systems::statuses)
      .def_prop_ro("times", &Systems::times)
      .def_prop_ro("steps", &Systems::steps)
      .def("snapshot", &Systems::snapshot, nb::arg("k"))
      .def("diagnostics", &Systems::diagnostics)
      .def("describe", &Systems::describe);
}

}  // namespace pleiad::python
