/// Writes the operators of Barnes and Hut: the moments of a cell onto a body.
///
/// With v = (source - target) / rho and B_j = (d / rho drho)^j (1/rho), a moment of order n gives the sum
/// over its k-fold traces of B_(n-k) P(v), P a polynomial of degree n - 2k (as pairings of derivatives count
/// them). In 1/r traces do nothing: with the moment freed from them one polynomial is left; its gradient G
/// serves twice, since P = v . G / degree. With softening, rho^2 = r^2 + eps^2, each trace has a polynomial
/// of its own. `m2p_record` makes the polynomials' coefficients from moments, once per cell.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/generate/text.hpp"

#include <map>

namespace pleiad::tree {
namespace {

/// A sum of moments, by their multi-index.
using Combination = std::map<int, double>;

/// The place of a trace's polynomial: see m2p_numbers.
int m2p_index(int n, int k) {
  if (k == 0) return below(n) - 2;
  int place = m2p_numbers(order);
  for (int m = 2; m <= n; ++m)
    for (int j = 1; 2 * j <= m && (m < n || j < k); ++j) place += components(m - 2 * j);
  return place;
}

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
double factorial(const Exponents& e) { return factorial(e.a) * factorial(e.b) * factorial(e.c); }

/// Calls work(i, j, l) for all i + j + l = k.
template <class Work>
void each_split(int k, const Work& work) {
  for (int i = 0; i <= k; ++i)
    for (int j = 0; i + j <= k; ++j) work(i, j, k - i - j);
}

/// Adds weight times a component of the k-fold trace of the tensor sum m x^n, up to its sign.
void add_trace(int k, const Exponents& e, double weight, Combination& to) {
  each_split(k, [&](int i, int j, int l) {
    const Exponents whole{e.a + 2 * i, e.b + 2 * j, e.c + 2 * l};
    to[index_of(whole.a, whole.b, whole.c)] +=
        weight * factorial(k) / factorial({i, j, l}) * factorial(whole);
  });
}

/// A component of the tensor without its traces (Applequist 1989): sum_k (-1)^k (2n-2k-1)!! / (2n-1)!! times
/// all ways to put k deltas before the k-fold trace.
Combination traceless(const Exponents& e) {
  Combination sum;
  const auto pairs = [](int a, int i) {
    return factorial(a) / (double(1 << i) * factorial(i) * factorial(a - 2 * i));
  };
  for (int n = e.order(), k = 0; 2 * k <= n; ++k)
    each_split(k, [&](int i, int j, int l) {
      if (2 * i > e.a || 2 * j > e.b || 2 * l > e.c) return;
      const double weight = factor(n - k) / factor(n) * pairs(e.a, i) * pairs(e.b, j) * pairs(e.c, l);
      add_trace(k, {e.a - 2 * i, e.b - 2 * j, e.c - 2 * l}, weight, sum);
    });
  return sum;
}

void write_coefficient(const char* array, int place, int n, double scale, const Combination& moments) {
  Sum sum;
  for (const auto& [id, weight] : moments)
    if (weight != 0) sum.add(text((n % 2 == 0 ? -1 : 1) * scale * weight), at("M", moment_index(id)));
  line(at(array, place) + " = " + sum.value());
}

/// Contributions of one order of moments: names of the gradient's components, and the terms along v.
struct Terms {
  std::string gradient[3];
  Sum along, potential;
};

/// The polynomial of trace k of order n.
void write_polynomial(int n, int k, Terms& terms) {
  const int degree = n - 2 * k, first = m2p_index(n, k), along = 2 * (n - k) + 1;
  const std::string tag = std::to_string(n) + "_" + std::to_string(k);
  if (degree == 0) {
    terms.along.add(text(-along), at("F", first));
    terms.potential.add(text(-1), at("F", first));
    return;
  }
  const Exponents axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    Sum sum;
    for (int id = below(degree - 1); id < below(degree); ++id) {
      const auto e = exponents(id);
      const auto coefficient = at(
          "F", first - below(degree) + index_of(e.a + axes[axis].a, e.b + axes[axis].b, e.c + axes[axis].c));
      if (id == 0) sum.add(coefficient);
      else sum.add(coefficient, name("w", id));
    }
    const std::string g = std::string(1, "xyz"[axis]) + tag;
    line("const T " + g + " = " + sum.value());
    auto& all = terms.gradient[axis];
    all = all.empty() ? g : all + " + " + g;
  }
  line("const T p" + tag + " = fma(x, x" + tag + ", fma(y, y" + tag + ", z * z" + tag + "))");
  terms.along.add(text(-double(along) / degree), "p" + tag);
  terms.potential.add(text(-1.0 / degree), "p" + tag);
}

}  // namespace

void write_m2p_record() {
  std::printf("/// Polynomials of full moments M: without traces for 1/r, with them for softening.\n");
  begin("m2p_record",
        "const T* PLEIAD_RESTRICT M, T unit, T* PLEIAD_RESTRICT newtonian, T* PLEIAD_RESTRICT softened");
  for (const char* array : {"newtonian", "softened"}) {
    line(at(array, 0) + " = M[0]");
    line(at(array, 1) + " = unit");
  }
  for (int n = 2; n < order; ++n)
    for (int id = below(n); id < below(n + 1); ++id)
      write_coefficient("newtonian", m2p_index(n, 0) + id - below(n), n, factor(n), traceless(exponents(id)));
  for (int n = 2; n < order; ++n)
    for (int k = 0; 2 * k <= n; ++k)
      for (int degree = n - 2 * k, id = below(degree); id < below(degree + 1); ++id) {
        Combination sum;
        add_trace(k, exponents(id), 1 / (double(1 << k) * factorial(k)), sum);
        write_coefficient("softened", m2p_index(n, k) + id - below(degree), n, factor(n - k), sum);
      }
  end();
}

void write_m2p(bool softened) {
  std::printf(
      softened ? "/// The same of the polynomials with traces: right for any softening.\n"
               : "/// Adds the pull of F at (x, y, z) = source - target. Softening acts on the mass only.\n");
  begin(softened ? "m2p_soft" : "m2p", "const F_& F, T x, T y, T z, T eps2, T& ax, T& ay, T& az, T& phi",
        "bool potential, class T, class F_");
  line("const T i1 = inverse_root(fma(x, x, fma(y, y, fma(z, z, eps2))))");
  line("const T i2 = i1 * i1, m = F[0]");
  line("x = x * i1, y = y * i1, z = z * i1");
  std::string along = "m", potential = "m";
  if (order > 2) {
    write_monomials(order - 2);
    line("const T f1 = F[1] * i1, f2 = f1 * f1, u2 = i2 * f2");
    // Horner's rule in f1, from the highest order down.
    for (int n = order - 1; n >= 2; --n) {
      Terms terms;
      for (int k = 0; 2 * k <= (softened ? n : 0); ++k) write_polynomial(n, k, terms);
      const std::string stems[] = {"gx", "gy", "gz", "s", "q"};
      const std::string values[] = {terms.gradient[0], terms.gradient[1], terms.gradient[2],
                                    terms.along.value(), terms.potential.value()};
      for (int i = 0; i < 5; ++i) {
        const std::string value =
            n == order - 1 ? values[i]
                           : "fma(" + stems[i] + std::to_string(n + 1) + ", f1, " + values[i] + ")";
        line("[[maybe_unused]] const T " + stems[i] + std::to_string(n) + " = " + value);
      }
    }
    along = "fma(s2, f2, m)", potential = "fma(q2, f2, m)";
  }
  line("const T v = i2 * " + along);
  for (const std::string axis : {"x", "y", "z"})
    line("a" + axis + " = fma(v, " + axis + ", " +
         (order > 2 ? "fma(u2, g" + axis + "2, a" + axis + ")" : "a" + axis) + ")");
  line("if constexpr (potential) phi = fma(i1, " + potential + ", phi)");
  end();
}

}  // namespace pleiad::tree
