/// Straight code as text: helpers of the writers of all operators.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/indices.hpp"

#include <cstdio>
#include <string>
#include <tuple>

namespace pleiad::tree {

/// The order p for whose forces the operators are written.
inline int order = 0;

inline std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "T(%.17g)", value);
  return buffer;
}
inline std::string at(const char* array, int index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}
inline std::string name(const char* stem, int index) { return stem + std::to_string(index); }
inline void line(const std::string& code) { std::printf("  %s;\n", code.c_str()); }
inline void begin(const char* function, const char* parameters, const char* types = "class T") {
  std::printf("template <%s>\nPLEIAD_OPERATOR void %s(Order<%d>, %s) {\n", types, function, order,
              parameters);
}
inline void end() { std::printf("}\n\n"); }

/// A sum of products, added to a place.
class Sum {
 public:
  void add(const std::string& a, const std::string& b) {
    value_ = value_.empty() ? a + " * " + b : "fma(" + a + ", " + b + ", " + value_ + ")";
  }
  void add(const std::string& a) { value_ = value_.empty() ? a : value_ + " + " + a; }
  const std::string& value() const { return value_; }
  bool empty() const { return value_.empty(); }

 private:
  std::string value_;
};

/// w<id> = x^a y^b z^c / (a! b! c!) up to an order; w0 is 1 and not written.
inline void write_monomials(int highest) {
  for (int id = 1; id < below(highest + 1); ++id) {
    const auto e = exponents(id);
    const auto [axis, power, lower] = e.c > 0   ? std::tuple{"z", e.c, index_of(e.a, e.b, e.c - 1)}
                                      : e.b > 0 ? std::tuple{"y", e.b, index_of(e.a, e.b - 1, 0)}
                                                : std::tuple{"x", e.a, index_of(e.a - 1, 0, 0)};
    if (lower == 0) line("const T " + name("w", id) + " = " + axis);
    else
      line("const T " + name("w", id) + " = " + name("w", lower) + " * " +
           (power == 1 ? std::string(axis) : "(" + text(1.0 / power) + " * " + axis + ")"));
  }
}

/// (-1)^m (2m - 1)!!
inline double factor(int m) {
  double f = 1;
  for (int i = 1; i <= m; ++i) f *= -(2 * i - 1);
  return f;
}

/// Operators from moments to bodies; see m2p.cpp.
void write_m2p_record();
void write_m2p(bool softened);

}  // namespace pleiad::tree
