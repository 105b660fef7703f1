#include "run/ensemble/scan.hpp"

#include "io/config/config.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

struct Scannable {
  std::string_view path;
  bool numbers = true;
};
constexpr std::array<Scannable, 9> scannable{{{"initial_conditions.file", false},
                                              {"initial_conditions.model", false},
                                              {"initial_conditions.seed"},
                                              {"gravity.G"},
                                              {"gravity.softening"},
                                              {"time.dt"},
                                              {"time.integrator", false},
                                              {"time.eta"},
                                              {"time.damping"}}};
constexpr std::string_view parameters = "initial_conditions.parameters.";
/// Draws of a scan share nothing with those of any model.
constexpr std::uint32_t purpose = 0x7363616e;
constexpr std::size_t most_values = 10'000'000;
/// The largest seed of a configuration: whole numbers of TOML are signed, with 64 bits.
constexpr std::uint64_t largest_seed = std::numeric_limits<std::int64_t>::max();

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view{} : text.substr(first, last - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// One text of ensemble.vary being read.
struct Reading {
  std::string_view text;

  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(fmt::format("ensemble.vary '{}': {}", text, why));
  }
  double number(std::string_view word) const {
    double value = 0;
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      refuse(fmt::format("'{}' is not a finite number", word));
    return value;
  }
  std::string seed(std::string_view word) const;
  void range(std::string_view words, Varied& v) const;
  void name(std::string_view key, Varied& v) const;
};

/// Keeps all 64 bits of a seed, which a double cannot; 1e6 is a seed too.
std::string Reading::seed(std::string_view word) const {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failed != std::errc{} || end != word.data() + word.size()) {
    const double rounded = number(word);
    if (!(rounded >= 0 && rounded <= 0x1p53 && rounded == std::floor(rounded))) value = largest_seed + 1;
    else value = static_cast<std::uint64_t>(rounded);
  }
  if (value > largest_seed)
    refuse(fmt::format("a seed must be a whole number from 0 to {}, not {}", largest_seed, word));
  return fmt::to_string(value);
}

/// FROM:TO:COUNT, FROM:TO:COUNT:log or FROM:TO:random.
void Reading::range(std::string_view words, Varied& v) const {
  const auto parts = split(words, ':');
  const bool logarithmic = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !logarithmic)
    refuse("a range is FROM:TO:COUNT, FROM:TO:COUNT:log or FROM:TO:random");
  const double from = number(parts[0]), to = number(parts[1]);
  if (parts[2] == "random") {
    if (v.is_seed()) refuse("a seed is not drawn; each system of ensemble.count has its own");
    if (logarithmic || !(from < to)) refuse("FROM:TO:random needs FROM < TO and nothing after it");
    v.low = from, v.high = to;
    return;
  }
  const double count = number(parts[2]);
  if (!(count >= 2 && count <= double(most_values) && count == std::floor(count)))
    refuse(fmt::format("COUNT must be a whole number from 2 to {}, not {}", most_values, parts[2]));
  if (logarithmic && !(from > 0 && to > 0)) refuse("a logarithmic range needs FROM > 0 and TO > 0");
  v.logarithmic = logarithmic;
  for (double i = 0; i < count; ++i) {
    const double part = i / (count - 1);
    const double value = i == 0        ? from
                         : part == 1   ? to
                         : logarithmic ? from * std::pow(to / from, part)
                                       : from + (to - from) * part;
    const auto digits = fmt::format("{}", value);
    v.values.push_back(v.is_seed() ? seed(digits) : digits);
  }
}

/// A name without a dot is a parameter of the model.
void Reading::name(std::string_view key, Varied& v) const {
  v.key = key;
  if (key.starts_with(parameters)) {
    v.key = key.substr(parameters.size());
    return;
  }
  std::vector<std::string_view> paths;
  for (const auto& s : scannable) {
    const bool short_form = s.path.substr(s.path.find('.') + 1) == key;
    if (short_form) refuse(fmt::format("the key is written '{}'", s.path));
    if (s.path == key) {
      v.path = key, v.numbers = s.numbers;
      if (v.is_seed()) v.key = "seed";
      return;
    }
    paths.push_back(s.path);
  }
  if (key.find('.') == key.npos) return;
  const auto guess = did_you_mean(key, paths);
  refuse(fmt::format("'{}' must be the same for all systems{}", key,
                     guess.empty()
                         ? fmt::format("; a scan takes a model's parameters and {}", fmt::join(paths, ", "))
                         : guess));
}

/// Whether a model has a choice of this name with this word.
bool is_word_of_choice(std::string_view parameter, std::string_view word) {
  return std::ranges::any_of(models(), [&](const Model* model) {
    return std::ranges::any_of(model->parameters, [&](const ModelParameter& p) {
      return p.name == parameter && std::ranges::find(p.words, word) != p.words.end();
    });
  });
}

Varied read(std::string_view text) {
  const Reading reading{text};
  const auto equals = text.find('=');
  if (equals == text.npos || trimmed(text.substr(0, equals)).empty())
    reading.refuse("it must be KEY=VALUE, VALUE, ... or KEY=FROM:TO:COUNT");
  Varied v;
  reading.name(trimmed(text.substr(0, equals)), v);
  const auto words = text.substr(equals + 1);
  if (v.numbers && words.find(':') != words.npos) {
    reading.range(words, v);
    return v;
  }
  const auto listed = split(words, ',');
  if (v.path.empty() &&
      std::ranges::all_of(listed, [&](auto word) { return is_word_of_choice(v.key, word); }))
    v.numbers = false;
  for (const auto word : listed) {
    if (word.empty()) reading.refuse("a value is missing");
    v.values.push_back(v.is_seed() ? reading.seed(word)
                       : v.numbers ? fmt::format("{}", reading.number(word))
                                   : std::string(word));
  }
  return v;
}

std::uint64_t whole(const std::string& digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

void set_parameter(Options& o, const std::string& name, const std::string& value) {
  auto& all = o.ic.parameters;
  std::erase_if(all, [&](const std::string& p) { return p.starts_with(name + "="); });
  all.push_back(name + "=" + value);
}

}  // namespace

Scan::Scan(const Options& options) : base_(options) {
  const auto& e = options.ensemble;
  for (const auto& text : e.vary) {
    auto v = read(text);
    for (const auto& other : varied_)
      if (other.key == v.key) throw UsageError(fmt::format("ensemble.vary names '{}' twice", v.key));
    if (v.path.empty() && !options.ic.file.empty())
      throw UsageError(
          fmt::format("ensemble.vary '{}': a file of initial conditions has no parameters", text));
    varied_.push_back(std::move(v));
  }
  for (const Varied* first = nullptr; const auto& v : varied_) {
    if (v.drawn()) continue;
    if (e.scan == "grid" || first == nullptr) {
      if (__builtin_mul_overflow(points_, v.values.size(), &points_))
        throw UsageError("ensemble.vary has more combinations than can be counted");
    } else if (v.values.size() != points_) {
      throw UsageError(
          fmt::format("ensemble.scan = zip needs lists of one length: '{}' has {} values, '{}' has {}",
                      first->key, points_, v.key, v.values.size()));
    }
    if (first == nullptr) first = &v;
  }
  each_ = std::max<std::size_t>(e.count, 1);
  std::size_t all = 0;
  if (__builtin_mul_overflow(points_, each_, &all))
    throw UsageError(
        fmt::format("ensemble.count = {} at {} points is more than can be counted", each_, points_));
  need_room_for_seeds();
}

void Scan::need_room_for_seeds() const {
  for (const auto& v : varied_) {
    if (!v.is_seed()) continue;
    for (const auto& text : v.values)
      if (whole(text) > largest_seed - (each_ - 1))
        throw UsageError(fmt::format("ensemble.vary: from seed {} on there are not {} more up to {}", text,
                                     each_ - 1, largest_seed));
  }
}

/// Index of system k's value in the list of each varied key that is not drawn.
std::vector<std::size_t> Scan::places(std::size_t k) const {
  std::vector<std::size_t> places(varied_.size());
  std::size_t left = k / each_;
  for (std::size_t i = varied_.size(); i-- > 0;) {
    const auto& v = varied_[i];
    if (v.drawn()) continue;
    places[i] = left % v.values.size();
    if (base_.ensemble.scan == "grid") left /= v.values.size();
  }
  return places;
}

std::uint64_t Scan::seed(std::size_t k) const {
  for (std::size_t i = 0; i < varied_.size(); ++i)
    if (varied_[i].is_seed()) return whole(varied_[i].values[places(k)[i]]) + k % each_;
  return base_.ic.seed + (base_.ensemble.seeds == "own" ? k : k % each_);
}

std::vector<std::string> Scan::values(std::size_t k) const {
  std::vector<std::string> values(varied_.size());
  const auto at = places(k);
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    const auto& v = varied_[i];
    values[i] = v.drawn()     ? fmt::format("{}", Random(seed(k), i, purpose).uniform(v.low, v.high))
                : v.is_seed() ? fmt::to_string(seed(k))
                              : v.values[at[i]];
  }
  return values;
}

Options Scan::options(std::size_t k) const {
  Options o = base_;
  o.ic.seed = seed(k);
  const auto texts = values(k);
  for (std::size_t i = 0; i < varied_.size(); ++i) {
    const auto& v = varied_[i];
    try {
      if (v.path.empty()) set_parameter(o, v.key, texts[i]);
      else apply_setting(o, v.path + "=" + texts[i]);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("system {} of the ensemble: {}", k, error.what()));
    }
  }
  return o;
}

}  // namespace pleiad::run
