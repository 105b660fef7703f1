#include "core/validate.hpp"

#include "core/place_hash.hpp"
#include "core/threads.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

Place place_of(const Bodies& b, std::size_t i) { return {b.x[i], b.y[i], b.z[i]}; }

struct Hashed {
  std::uint64_t hash;
  std::size_t body;
  auto operator<=>(const Hashed&) const = default;
};
using Run = std::span<const Hashed>;

/// Calls `work` with the bodies of every hash that two or more have, in their order; on all threads. Bodies
/// are sorted in parts that a thread's cache holds.
void for_equal(std::size_t n, const std::function<std::uint64_t(std::size_t)>& hash_of,
               const std::function<void(Run)>& work) {
  constexpr std::size_t block = 65536;
  const std::size_t parts = std::bit_ceil(std::clamp<std::size_t>(n / 4096, 1, 4096));
  std::vector<std::vector<std::size_t>> places((n + block - 1) / block);
  const auto in_block = [&](std::size_t k, const auto& each) {
    for (std::size_t i = k * block; i < std::min(n, (k + 1) * block); ++i) each(Hashed{hash_of(i), i});
  };
  parallel_for(places.size(), [&](std::size_t k) {
    places[k].resize(parts);
    in_block(k, [&](const Hashed& h) { ++places[k][h.hash & (parts - 1)]; });
  });
  std::vector<std::size_t> begins(parts + 1, n);
  for (std::size_t part = 0, place = 0; part < parts; ++part) {
    begins[part] = place;
    for (auto& counts : places) place += std::exchange(counts[part], place);
  }
  std::vector<Hashed> all(n);
  parallel_for(places.size(), [&](std::size_t k) {
    in_block(k, [&](const Hashed& h) { all[places[k][h.hash & (parts - 1)]++] = h; });
  });
  parallel_for(parts, [&](std::size_t part) {
    const auto some = std::span(all).subspan(begins[part], begins[part + 1] - begins[part]);
    std::ranges::sort(some);
    for (std::size_t begin = 0, end = 0; begin < some.size(); begin = end) {
      while (end < some.size() && some[end].hash == some[begin].hash) ++end;
      if (end - begin > 1) work(some.subspan(begin, end - begin));
    }
  });
}

}  // namespace

std::array<std::size_t, 2> coincident_pair(const Bodies& b) {
  using Pair = std::array<std::size_t, 2>;
  const Pair none{b.size(), b.size()};
  // The place that is the first along x, then y, then z, and the first two of those there.
  const auto before = [&](const Pair& p, const Pair& q) {
    if (p == none || q == none) return p != none && q == none;
    return std::pair(place_of(b, p[0]), p) < std::pair(place_of(b, q[0]), q);
  };
  Pair first = none;
  std::mutex mutex;
  for_equal(
      b.size(), [&](std::size_t i) { return hash_of_place(place_of(b, i)); },
      [&](Run run) {
        // Massless bodies pull nothing, each other included.
        const auto has_mass = [&](const Hashed& h) { return b.mass[h.body] > 0; };
        if (std::ranges::none_of(run, has_mass)) return;
        for (auto one = run.begin(); one != run.end(); ++one)
          for (auto other = one + 1; other != run.end(); ++other)
            if ((has_mass(*one) || has_mass(*other)) && place_of(b, one->body) == place_of(b, other->body)) {
              const std::lock_guard lock(mutex);
              if (const Pair pair{one->body, other->body}; before(pair, first)) first = pair;
              return;
            }
      });
  return first;
}

namespace {
/// The first index at which `bad` holds and how often, as an error.
template <class Bad, class Value>
void refuse(std::size_t n, std::string_view origin, std::size_t first_body, std::string_view what, Bad bad,
            Value value, std::string_view right) {
  struct Found {
    std::size_t first, count = 0;
    Found& operator+=(const Found& later) {
      if (count == 0) first = later.first;
      count += later.count;
      return *this;
    }
  };
  const auto found = blocked_sum<Found>(n, [&](std::size_t begin, std::size_t end) {
    Found here{};
    for (std::size_t i = begin; i < end; ++i)
      if (bad(i) && here.count++ == 0) here.first = i;
    return here;
  });
  if (const auto [first, count] = found; count > 0)
    throw InputError(fmt::format("{}: body {} has {} {}{}; {}", origin, first_body + first, what,
                                 value(first),
                                 count > 1 ? fmt::format(" (and {} more bodies)", count - 1) : "", right));
}

void need_unique_ids(const Bodies& b, std::string_view origin) {
  // Most files and all models count.
  const auto falls = [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) count += b.id[i] <= b.id[i - 1];
    return count;
  };
  if (blocked_sum<std::size_t>(b.size(), falls) == 0) return;
  std::size_t first = b.size();  // that repeats one before it
  std::mutex mutex;
  for_equal(
      b.size(), [&](std::size_t i) { return mixed(b.id[i]); },
      [&](Run run) {
        const std::lock_guard lock(mutex);
        first = std::min(first, run[1].body);
      });
  if (first < b.size()) throw repeated_id(origin, first, b.id[first]);
}
}  // namespace

void need_valid_numbers(const Bodies& b, std::string_view origin, std::size_t first) {
  const std::size_t n = b.size();
  for (const auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz})
    if (a->size() != n)
      throw InputError(fmt::format("{}: arrays of {} and {} entries; all must have the same length", origin,
                                   n, a->size()));
  if (b.id.size() != n || b.type.size() != n)
    throw InputError(
        fmt::format("{}: {} ids and {} types for {} bodies", origin, b.id.size(), b.type.size(), n));
  if (!b.softening.empty() && b.softening.size() != n)
    throw InputError(fmt::format("{}: {} softenings for {} bodies; there must be one for each, or none",
                                 origin, b.softening.size(), n));
  const auto check = [&](std::string_view name, const std::vector<double>& a, double limit) {
    refuse(
        n, origin, first, name, [&](std::size_t i) { return !(std::abs(a[i]) <= limit); },
        [&](std::size_t i) { return fmt::format("= {}", a[i]); },
        fmt::format("it must be finite and at most {:g} in size", limit));
  };
  check("x", b.x, 1e18), check("y", b.y, 1e18), check("z", b.z, 1e18);
  check("vx", b.vx, 1e30), check("vy", b.vy, 1e30), check("vz", b.vz, 1e30);
  refuse(
      n, origin, first, "mass", [&](std::size_t i) { return !(b.mass[i] >= 0 && b.mass[i] <= 1e300); },
      [&](std::size_t i) { return fmt::format("= {}", b.mass[i]); },
      "masses must be finite and >= 0 (0: a test particle)");
  refuse(
      b.softening.size(), origin, first, "softening",
      [&](std::size_t i) { return !(b.softening[i] >= 0 && b.softening[i] <= 1e18); },
      [&](std::size_t i) { return fmt::format("= {}", b.softening[i]); },
      "softenings must be >= 0 and at most 1e+18");
}

InputError no_bodies(std::string_view origin) {
  return InputError(fmt::format("{}: there are no bodies; a run needs at least one", origin));
}
InputError no_mass(std::string_view origin, std::size_t n) {
  return InputError(fmt::format(
      "{}: all {} masses are 0; at least one body must have mass, or gravity.potentials must pull", origin,
      n));
}
InputError repeated_id(std::string_view origin, std::size_t body, std::uint64_t id) {
  return InputError(
      fmt::format("{}: body {} repeats the id {}; ids must be unique: "
                  "initial_conditions.renumber = true numbers the bodies anew",
                  origin, body, id));
}

namespace {
/// `pulled`: by something else than the bodies.
void validate(const Bodies& b, double eps, bool pulled, std::string_view origin) {
  const std::size_t n = b.size();
  if (n == 0) throw no_bodies(origin);
  need_valid_numbers(b, origin);
  if (!pulled && std::ranges::all_of(b.mass, [](double m) { return m == 0; })) throw no_mass(origin, n);
  need_unique_ids(b, origin);
  if (eps == 0) {
    const auto [i, j] = coincident_pair(b);
    if (i < n)
      throw InputError(
          fmt::format("{}: bodies {} and {} are at the same position ({}, {}, {}); without softening their "
                      "force is not defined",
                      origin, i, j, b.x[i], b.y[i], b.z[i]));
  }
}
}  // namespace

std::array<std::size_t, 2> counts_of_semi_active(const Bodies& b, const SemiActive& law) {
  std::array<std::size_t, 2> counts{};
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (law.has(b.mass[i], static_cast<unsigned>(b.type[i]))) ++counts[0];
    if (b.mass[i] > 0) ++counts[1];
  }
  return counts;
}

void validate(const Bodies& b, double eps, std::string_view origin) { validate(b, eps, false, origin); }
void need_valid(const Bodies& b, const Gravity& gravity, std::string_view origin) {
  const double eps = b.softening.empty() ? gravity.softening.eps : *std::ranges::min_element(b.softening);
  validate(b, eps, !gravity.potentials.empty(), origin);
  if (!gravity.semi_active.any()) return;
  const auto [semi_active, with_mass] = counts_of_semi_active(b, gravity.semi_active);
  need_semi_active(gravity, semi_active, with_mass, origin);
}

void need_semi_active(const Gravity& gravity, std::size_t semi_active, std::size_t with_mass,
                      std::string_view origin) {
  if (!gravity.semi_active.any()) return;
  const auto text = text_of(gravity.semi_active);
  if (semi_active == 0)
    throw UsageError(
        fmt::format("{}: no body with mass is semi-active by \"{}\"; leave it out, or choose other "
                    "types or a larger mass",
                    origin, text));
  if (semi_active == with_mass && gravity.potentials.empty())
    throw UsageError(
        fmt::format("{}: all bodies with mass are semi-active by \"{}\", so that none pulls the "
                    "others; choose fewer types or a smaller mass",
                    origin, text));
}

void need_flat(const Bodies& b, std::string_view origin) { need_flat(b, origin, 0); }

void need_flat(const Bodies& b, std::string_view origin, std::size_t first) {
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b.z[i] != 0 || b.vz[i] != 0)
      throw InputError(fmt::format("{}: body {} has z = {}, vz = {}; in two dimensions both must be 0",
                                   origin, first + i, b.z[i], b.vz[i]));
}

}  // namespace pleiad
