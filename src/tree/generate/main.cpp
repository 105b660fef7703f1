/// Writes the operators of the multipole method for one order as straight code: every loop over components is
/// done here, once, so that the compiler sees sums of products and no indices. Run by the build:
/// pleiad_tree_generate ORDER operators_ORDER.inc.
///
/// Every cell has a unit of length of its own, about its size, so that no power over- or underflows:
/// positions, moments and expansions are in units of their cell; `from` and `to` are the source's and the
/// target's.
///
/// Conventions (G = 1; Dehnen 2014, section 3, in Cartesian components): Phi(x) = sum m_b / |x - x_b| and
/// a = grad Phi. M_m = (-1)^|m| / m! sum m_b (x_b - c)^m about the centre of mass c. L_n = sum_m M_m
/// D_(n+m)(z_A - c_B) with D the derivatives of 1/r, and |n| + |m| <= p, so that the forces of two cells on
/// each other cancel. a_i(x) = sum_k (x - z)^k / k! L_(k + e_i).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/generate/text.hpp"

#include <cstdlib>
#include <set>
#include <utility>

namespace pleiad::tree {
namespace {

/// d<id>, the derivatives of 1/rho at (x, y, z) = separation / rho, in units of rho^-(n+1). One axis at a
/// time (McMurchie and Davidson 1978): R(m; ..., k) = x R(m+1; ..., k-1) + (k-1) R(m+1; ..., k-2).
class Derivatives {
 public:
  explicit Derivatives(bool harmonic) {
    for (int id = 0; id < below(order + 1); ++id) {
      const auto e = exponents(id);
      if (harmonic && e.c >= 2)
        // Some of these are unused.
        line("[[maybe_unused]] const T " + name("d", id) + " = -(" +
             name("d", index_of(e.a + 2, e.b, e.c - 2)) + " + " + name("d", index_of(e.a, e.b + 2, e.c - 2)) +
             ")");
      else line("const T " + name("d", id) + " = " + need(0, id));
    }
  }

 private:
  std::string need(int m, int id) {
    if (id == 0) return text(factor(m));
    const std::string variable = "r" + std::to_string(m) + "_" + std::to_string(id);
    if (!written_.insert({m, id}).second) return variable;
    const auto e = exponents(id);
    const auto lower = [&](int by) {
      return e.c > 0   ? index_of(e.a, e.b, e.c - by)
             : e.b > 0 ? index_of(e.a, e.b - by, 0)
                       : index_of(e.a - by, 0, 0);
    };
    const char* axis = e.c > 0 ? "z" : e.b > 0 ? "y" : "x";
    const int power = e.c > 0 ? e.c : e.b > 0 ? e.b : e.a;
    const std::string first = need(m + 1, lower(1));
    if (power == 1) {
      line("const T " + variable + " = " + axis + " * " + first);
    } else {
      const int two = lower(2);
      const std::string second = two == 0     ? text((power - 1) * factor(m + 1))
                                 : power == 2 ? need(m + 1, two)
                                              : text(power - 1) + " * " + need(m + 1, two);
      line("const T " + variable + " = fma(" + axis + ", " + first + ", " + second + ")");
    }
    return variable;
  }
  std::set<std::pair<int, int>> written_;
};

/// Powers of minus the position, as moments have them.
void write_opposite_monomials() {
  line("x = -x, y = -y, z = -z");
  write_monomials(order - 1);
}

void write_p2m() {
  std::printf("/// Adds a body at (x, y, z) from the centre to the moments.\n");
  begin("p2m", "[[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z, T m, T* PLEIAD_RESTRICT M");
  if (order > 2) write_opposite_monomials();
  line("M[0] = M[0] + m");
  for (int id = 4; id < below(order); ++id) {
    const auto to = at("M", moment_index(id));
    line(to + " = fma(m, " + name("w", id) + ", " + to + ")");
  }
  end();
}

void write_m2m() {
  std::printf("/// Adds a child's moments C, its centre at (x, y, z) from the parent's.\n");
  begin("m2m",
        "const T* PLEIAD_RESTRICT C, [[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z, "
        "T* PLEIAD_RESTRICT M");
  if (order > 2) write_opposite_monomials();
  line("M[0] = M[0] + C[0]");
  for (int id = 4; id < below(order); ++id) {
    const auto e = exponents(id);
    Sum sum;
    sum.add(at("M", moment_index(id)) + " + " + at("C", moment_index(id)));
    sum.add("C[0]", name("w", id));
    for (int j = 4; j < id; ++j) {
      const auto f = exponents(j);
      if (f.a <= e.a && f.b <= e.b && f.c <= e.c)
        sum.add(at("C", moment_index(j)), name("w", index_of(e.a - f.a, e.b - f.b, e.c - f.c)));
    }
    line(at("M", moment_index(id)) + " = " + sum.value());
  }
  end();
}

void write_fold() {
  std::printf("/// Moments without the components that a harmonic field does not see.\n");
  begin("fold", "const T* PLEIAD_RESTRICT M, T* PLEIAD_RESTRICT F");
  for (int id = 4; id < below(order); ++id) line("T " + name("m", id) + " = " + at("M", moment_index(id)));
  for (int id = below(order) - 1; id >= 4; --id) {
    const auto e = exponents(id);
    if (e.c < 2) continue;
    for (const int to : {index_of(e.a + 2, e.b, e.c - 2), index_of(e.a, e.b + 2, e.c - 2)})
      line(name("m", to) + " = " + name("m", to) + " - " + name("m", id));
  }
  line("F[0] = M[0]");
  for (int id = 4; id < below(order); ++id) {
    const auto e = exponents(id);
    if (e.c <= 1) line(at("F", folded_moment_index(folded_index(e.a, e.b, e.c))) + " = " + name("m", id));
  }
  end();
}

/// Writes M2L. `harmonic`: folded moments onto a folded expansion, 1/r; otherwise all components, and
/// 1/sqrt(r^2 + eps2).
///
/// A harmonic field has softening only as a factor: the field of 1/r is weakened as much as the pull, or the
/// potential, of a softened point at the target's centre. A factor that is the same from both sides conserves
/// momentum; the remaining error is the change of softening across the two cells.
void write_m2l(bool harmonic) {
  std::printf(harmonic
                  ? "/// Adds the field of folded moments F at (x, y, z) = target - source to a folded L.\n"
                  : "/// The same with softening, of all moments to all of L.\n");
  begin(harmonic ? "m2l" : "m2l_soft",
        "const T* PLEIAD_RESTRICT F, T from, T x, T y, T z, T eps2, T to, T* PLEIAD_RESTRICT L");
  if (harmonic) {
    line("const T r2 = fma(x, x, fma(y, y, z * z)), i1 = inverse_root(r2)");
    line("const T q1 = r2 * i1 * inverse_root(r2 + eps2), q3 = q1 * q1 * q1");
  } else {
    line("const T i1 = inverse_root(fma(x, x, fma(y, y, fma(z, z, eps2))))");
  }
  line("x = x * i1, y = y * i1, z = z * i1");
  line("const T f1 = from * i1, t1 = to * i1");
  for (int n = 2; n < order; ++n) line("const T " + name("f", n) + " = " + name("f", n - 1) + " * f1");
  line(harmonic ? "const T u0 = i1 * q1, u1 = i1 * q3 * t1" : "const T u0 = i1, u1 = u0 * t1");
  for (int n = 2; n <= order; ++n) line("const T " + name("u", n) + " = " + name("u", n - 1) + " * t1");
  const auto seen = [&](const Exponents& e) { return !harmonic || e.c <= 1; };
  const Derivatives derivatives(harmonic);
  line("const T m0 = F[0]");
  for (int id = 4; id < below(order); ++id) {
    const auto e = exponents(id);
    if (!seen(e)) continue;
    const int from = harmonic ? folded_moment_index(folded_index(e.a, e.b, e.c)) : moment_index(id);
    line("const T " + name("m", id) + " = " + at("F", from) + " * " + name("f", e.order()));
  }
  for (int id = 0; id < below(order + 1); ++id) {
    const auto e = exponents(id);
    if (!seen(e)) continue;
    Sum sum;
    sum.add("m0", name("d", id));
    for (int j = 4; j < below(order); ++j) {
      const auto f = exponents(j);
      if (seen(f) && f.order() + e.order() <= order)
        sum.add(name("m", j), name("d", index_of(e.a + f.a, e.b + f.b, e.c + f.c)));
    }
    const auto to = at("L", harmonic ? folded_index(e.a, e.b, e.c) : id);
    line(to + " = fma(" + sum.value() + ", " + name("u", e.order()) + ", " + to + ")");
  }
  end();
}

void write_unfold() {
  std::printf("/// Adds a folded expansion to one of all components.\n");
  begin("unfold", "const T* PLEIAD_RESTRICT F, T* PLEIAD_RESTRICT L");
  for (int id = 0; id < below(order + 1); ++id) {
    const auto e = exponents(id);
    const std::string value = e.c <= 1 ? at("F", folded_index(e.a, e.b, e.c))
                                       : "-(" + name("l", index_of(e.a + 2, e.b, e.c - 2)) + " + " +
                                             name("l", index_of(e.a, e.b + 2, e.c - 2)) + ")";
    line("const T " + name("l", id) + " = " + value);
    line(at("L", id) + " = " + at("L", id) + " + " + name("l", id));
  }
  end();
}

void write_l2l() {
  std::printf(
      "/// Adds a parent's expansion Q to a child's, whose centre is at (x, y, z) from the parent's.\n");
  begin("l2l", "const T* PLEIAD_RESTRICT Q, T x, T y, T z, T* PLEIAD_RESTRICT L");
  write_monomials(order);
  for (int id = 0; id < below(order + 1); ++id) {
    const auto e = exponents(id);
    Sum sum;
    sum.add(at("L", id) + " + " + at("Q", id));
    for (int j = 1; j < below(order + 1 - e.order()); ++j) {
      const auto f = exponents(j);
      sum.add(at("Q", index_of(e.a + f.a, e.b + f.b, e.c + f.c)), name("w", j));
    }
    line(at("L", id) + " = " + sum.value());
  }
  end();
}

void write_l2p(bool potential) {
  std::printf(potential ? "/// The same with the potential.\n"
                        : "/// Adds the field of L at (x, y, z) from its centre to the pull of a body.\n");
  begin(potential ? "l2p_potential" : "l2p",
        potential ? "const T* PLEIAD_RESTRICT L, T x, T y, T z, T& ax, T& ay, T& az, T& phi"
                  : "const T* PLEIAD_RESTRICT L, T x, T y, T z, T& ax, T& ay, T& az");
  write_monomials(potential ? order : order - 1);
  const std::pair<const char*, Exponents> axes[] = {{"ax", {1, 0, 0}}, {"ay", {0, 1, 0}}, {"az", {0, 0, 1}}};
  for (const auto& [sum_name, one] : axes) {
    Sum sum;
    sum.add(sum_name + (" + " + at("L", index_of(one.a, one.b, one.c))));
    for (int j = 1; j < below(order); ++j) {
      const auto f = exponents(j);
      sum.add(at("L", index_of(f.a + one.a, f.b + one.b, f.c + one.c)), name("w", j));
    }
    line(std::string(sum_name) + " = " + sum.value());
  }
  if (potential) {
    Sum sum;
    sum.add("phi + L[0]");
    for (int j = 1; j < below(order + 1); ++j) sum.add(at("L", j), name("w", j));
    line("phi = " + sum.value());
  }
  end();
}

}  // namespace
}  // namespace pleiad::tree

int main(int argc, char** argv) {
  using namespace pleiad::tree;
  order = argc == 3 ? std::atoi(argv[1]) : 0;
  if (order < 2 || order > 10) {
    std::fprintf(stderr, "pleiad_tree_generate: an order from 2 to 10 and a file are needed\n");
    return 2;
  }
  if (std::freopen(argv[2], "w", stdout) == nullptr) {
    std::fprintf(stderr, "pleiad_tree_generate: cannot write '%s'\n", argv[2]);
    return 3;
  }
  std::printf("// Written by pleiad_tree_generate %d: see src/tree/generate.cpp.\n\n", order);
  write_p2m();
  write_m2m();
  write_fold();
  write_m2l(true);
  write_m2l(false);
  write_unfold();
  write_l2l();
  write_l2p(false);
  write_l2p(true);
  write_m2p_record();
  write_m2p(false);
  write_m2p(true);
  return std::fclose(stdout) == 0 ? 0 : 3;
}
