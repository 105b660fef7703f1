#include "io/files/csv_head.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::files::csv {
namespace {

constexpr string_view needs_number = "it needs one number, with a decimal point";
constexpr string_view needs_whole = "it needs one whole number from 0 to 2^64 - 1";
constexpr string_view needs_positive = "it needs one number > 0, in the units of the table";

/// What a value should be, for the message of one that is not.
struct Wrong {
  std::string right;
};

/// The words behind a key, of which each has its meaning or is Wrong.
struct Value {
  string_view text;
  std::vector<string_view> words{};

  void need(std::size_t count, string_view right) const {
    if (words.size() != count) throw Wrong{std::string(right)};
  }
  double real(std::size_t k, string_view right) const {
    const auto v = number(words[k]);
    if (!v || !std::isfinite(*v)) throw Wrong{std::string(right)};
    return *v;
  }
  double only_real(string_view right) const {
    need(1, right);
    return real(0, right);
  }
  double positive(std::size_t k, string_view right) const {
    const double v = real(k, right);
    if (!(v > 0)) throw Wrong{std::string(right)};
    return v;
  }
  double only_positive(string_view right) const {
    need(1, right);
    return positive(0, right);
  }
  std::uint64_t whole() const {
    need(1, needs_whole);
    const auto v = whole_number(words[0]);
    if (!v) throw Wrong{std::string(needs_whole)};
    return *v;
  }
};

Units units_in(const Value& v) {
  const std::string system = v.words.empty() ? "" : lower(v.words[0]);
  const auto names = unit_system_names();
  if (system == "custom") {
    constexpr string_view right = "custom units need length, mass and velocity in cgs, > 0";
    v.need(4, right);
    return custom_units(v.positive(1, right), v.positive(2, right), v.positive(3, right));
  }
  if (v.words.size() == 1 && std::ranges::find(names, system) != names.end()) return units_named(system);
  throw Wrong{fmt::format("no unit system '{}': it is one of {}, custom", system.substr(0, 40),
                          fmt::join(names, ", "))};
}

double softening_in(const Value& v) {
  constexpr string_view right = "it needs one number >= 0, in the units of the table";
  const double eps = v.only_real(right);
  if (!(eps >= 0)) throw Wrong{std::string(right)};
  return eps;
}

Vec3<double> box_in(const Value& v) {
  constexpr string_view right = "a periodic box needs three lengths > 0";
  v.need(3, right);
  return {v.positive(0, right), v.positive(1, right), v.positive(2, right)};
}

Images images_in(const Value& v) {
  const auto word = v.words.size() == 1 ? lower(v.words[0]) : "";
  if (word != "nearest" && word != "all") throw Wrong{"it is nearest or all"};
  return word == "all" ? Images::all : Images::nearest;
}

OrbitCentre centre_in(const Value& v) {
  try {
    return orbit_centre_named(v.text);
  } catch (const UsageError&) {
    throw Wrong{"it is heaviest, jacobi, barycentre, an id such as 7, or two such as 0,1"};
  }
}

/// A key, and what it reads.
struct HeadKey {
  string_view name;
  void (*read)(const Value&, Head&, FileContent&);
};
constexpr std::array head_keys{
    HeadKey{"units", [](const Value& v, Head&,
                        FileContent& out) { out.snapshot.units = units_in(v), out.units_stated = true; }},
    HeadKey{"time",
            [](const Value& v, Head&, FileContent& out) { out.snapshot.time = v.only_real(needs_number); }},
    HeadKey{"step", [](const Value& v, Head&, FileContent& out) { out.snapshot.step = v.whole(); }},
    HeadKey{"g", [](const Value& v, Head& head, FileContent&) { head.G = v.only_positive(needs_positive); }},
    HeadKey{"bodies", [](const Value& v, Head& head, FileContent&) { head.bodies = v.whole(); }},
    HeadKey{"periodic",
            [](const Value& v, Head&, FileContent& out) {
              out.snapshot.boundary.length = box_in(v), out.snapshot.boundary.periodic = true;
            }},
    HeadKey{"images",
            [](const Value& v, Head&, FileContent& out) { out.snapshot.boundary.images = images_in(v); }},
    HeadKey{"softening",
            [](const Value& v, Head&, FileContent& out) { out.suggested_softening = softening_in(v); }},
    HeadKey{"time_step", [](const Value& v, Head&,
                            FileContent& out) { out.suggested_step = v.only_positive(needs_positive); }},
    HeadKey{"about", [](const Value& v, Head& head, FileContent&) { head.about = centre_in(v); }},
};
std::size_t place_of(string_view key) {
  return std::size_t(std::ranges::find(head_keys, key, &HeadKey::name) - head_keys.begin());
}

}  // namespace

std::string Head::read(string_view comment) {
  static_assert(head_keys.size() <= decltype(given_)().size());
  const auto colon = comment.find(':');
  if (colon == comment.npos) return "";
  const string_view written = trimmed(comment.substr(0, colon));
  const auto place = place_of(lower(written));
  if (place == head_keys.size()) return "";
  if (!out_.snapshot.bodies.empty())
    return fmt::format("'# {}:' stands below the first row; it belongs above the table", written);
  if (given_[place]) return fmt::format("'# {}:' is there twice", written);
  given_[place] = true;
  Value value{.text = trimmed(comment.substr(colon + 1))};
  // Spreadsheets fill short lines with separators.
  while (!value.text.empty() && (value.text.back() == ',' || value.text.back() == ';'))
    value.text = trimmed(value.text.substr(0, value.text.size() - 1));
  split(value.text, value.words);
  try {
    head_keys[place].read(value, *this, out_);
  } catch (const Wrong& wrong) {
    return fmt::format("'# {}: {}' cannot be read; {}", written, value.text.substr(0, 40), wrong.right);
  }
  return "";
}

bool Head::has(string_view key) const { return given_[place_of(key)]; }

}  // namespace pleiad::files::csv
