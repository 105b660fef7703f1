#include "regular/extrapolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pleiad::regular {
namespace {

/// Columns at most: 2, 4, ... 2 columns substeps, in which rounding errors grow as the weights of columns do.
constexpr std::size_t most_columns = 6;
/// A step becomes at most this times longer, and at most this times shorter.
constexpr double most_growth = 8, most_shrinking = 10;
/// From this column on a step may be given up.
constexpr std::size_t first_judged = 4;

constexpr double substeps(std::size_t column) { return 2 * double(column + 1); }

/// Substeps of all columns up to this one.
constexpr double work(std::size_t column) { return double((column + 1) * (column + 2)); }

Vec3<double> vector_at(std::span<const double> all, std::size_t k) {
  return {all[k], all[k + 1], all[k + 2]};
}

}  // namespace

Extrapolation::Extrapolation(Layout layout)
    : layout_(layout),
      table_(most_columns, std::vector<double>(layout.size())),
      raw_(table_),
      raw_low_(table_),
      change_(layout.size()),
      before_(layout.size()),
      correction_(layout.size()) {}

/// Aitken and Neville, of the series in the square of a substep.
void Extrapolation::extrapolate(std::size_t column) {
  // table_[j] is the value of the polynomial through columns j ... column - 1 before, and j ... column after.
  for (std::size_t j = column; j-- > 0;) {
    const double ratio = substeps(column) / substeps(j), factor = 1 / (ratio * ratio - 1);
    auto &low = table_[j], &high = table_[j + 1];
    for (std::size_t k = 0; k < low.size(); ++k) low[k] = high[k] + (high[k] - low[k]) * factor;
  }
}

/// The same value as the last leapfrog and a correction by the small differences of the others from it, so
/// that it has no rounding errors of its own size.
void Extrapolation::refine(std::size_t column) {
  const auto &last = raw_[column], &last_low = raw_low_[column];
  change_ = last, correction_ = last_low;
  for (std::size_t j = 0; j < column; ++j) {
    double weight = 1;
    for (std::size_t i = 0; i <= column; ++i) {
      const double ratio = substeps(i) / substeps(j);
      if (i != j) weight /= 1 - ratio * ratio;
    }
    for (std::size_t k = 0; k < last.size(); ++k)
      correction_[k] += weight * ((raw_[j][k] - last[k]) + (raw_low_[j][k] - last_low[k]));
  }
}

/// The largest relative difference of change_ from before_.
double Extrapolation::error(std::span<const double> start) const {
  double worst = 0, longest = 0, fastest = 0;
  const auto relative = [&](double difference, double scale) {
    if (difference == 0 || std::isnan(worst)) return;
    if (const double e = difference / scale; !(e <= worst)) worst = e;
  };
  const auto link = [&](std::size_t k, double& largest) {
    const auto from = vector_at(start, k), by = vector_at(change_, k);
    const double scale = std::max(norm(from), norm(from + by));
    relative(norm(by - vector_at(before_, k)), scale);
    largest = std::max(largest, scale);
  };
  for (std::size_t k = 0; k < layout_.links(); ++k)
    link(3 * k, longest), link(layout_.velocities() + 3 * k, fastest);
  const auto t = layout_.time();
  relative(std::abs(change_[t] - before_[t]), std::abs(change_[t]));
  const auto centre = [&](std::size_t k, double scale) {
    const auto by = vector_at(change_, k);
    relative(norm(by - vector_at(before_, k)), std::max(scale, norm(by)));
  };
  centre(layout_.centre(), longest), centre(layout_.centre_velocity(), fastest);
  return worst;
}

Extrapolation::Result Extrapolation::step(Leapfrog& leapfrog, std::span<const double> start,
                                          std::span<const double> low, double s, double tolerance) {
  std::array<double, most_columns> wanted{};  // the length for which a column would converge
  for (std::size_t column = 0; column < most_columns; ++column) {
    const int n = int(substeps(column));
    leapfrog.advance(start, low, s / n, n, raw_[column], raw_low_[column]);
    table_[column] = raw_[column];
    if (column == 0) {
      change_ = table_[0];
      continue;
    }
    extrapolate(column);
    std::swap(before_, change_);
    change_ = table_[0];
    const double e = error(start) / tolerance;
    // The error of the column before is of the order s^(2 column + 1).
    const double factor = e == 0 ? most_growth : 0.9 * std::pow(0.7 / e, 1 / double(2 * column + 1));
    wanted[column] =
        s * (std::isfinite(e) ? std::clamp(factor, 1 / most_shrinking, most_growth) : 1 / most_shrinking);
    std::size_t best = 1;
    for (std::size_t c = 2; c <= column; ++c)
      if (work(c) * std::abs(wanted[best]) < work(best) * std::abs(wanted[c])) best = c;
    if (e <= 1) {
      double next = wanted[best];
      if (best == column && column > 1 && column + 1 < most_columns) next *= work(column + 1) / work(column);
      refine(column);
      return {true, next};
    }
    // Whether the columns left can reduce the error to the tolerance, each by the square of its substeps.
    if (column < first_judged) continue;
    double least = e;
    for (std::size_t c = column + 1; c < most_columns; ++c) least /= substeps(c) * substeps(c);
    if (!(least <= 1) || column + 1 == most_columns)
      return {false, std::abs(wanted[column]) < std::abs(s) / 2 ? wanted[column] : s / 2};
  }
  return {};
}

}  // namespace pleiad::regular
