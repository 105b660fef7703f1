/// Forms of attributes, through the C library alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/attributes.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

namespace pleiad::golden {
namespace {

/// Writes the attribute anew, from `values` in memory of this type; null: leaves it unwritten.
void put(hid_t file, const std::string& group, const std::string& name, hid_t file_type, hid_t space,
         hid_t memory_type, const void* values) {
  const hid_t g = group_of(file, group);
  if (H5Aexists(g, name.c_str()) > 0) H5Adelete(g, name.c_str());
  const hid_t a = H5Acreate2(g, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (values != nullptr) H5Awrite(a, memory_type, values);
  H5Aclose(a), H5Sclose(space), H5Oclose(g);
}

hid_t row(hsize_t n) { return H5Screate_simple(1, &n, nullptr); }

/// An integer of so many bytes and bits.
hid_t integer(std::size_t bytes, std::size_t bits, bool with_sign, H5T_order_t order) {
  const hid_t type = H5Tcopy(with_sign ? H5T_STD_I64LE : H5T_STD_U64LE);
  H5Tset_precision(type, bits), H5Tset_size(type, bytes), H5Tset_order(type, order);
  return type;
}

/// h5py writes numpy's bool so.
hid_t truth_type() {
  const hid_t type = H5Tenum_create(H5T_STD_I8LE);
  for (const std::int8_t v : {0, 1}) H5Tenum_insert(type, v == 0 ? "FALSE" : "TRUE", &v);
  return type;
}

/// IEEE's half precision, as numpy's float16.
hid_t half_type() {
  const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(type, 15, 10, 5, 0, 10), H5Tset_precision(type, 16);
  H5Tset_size(type, 2), H5Tset_ebias(type, 15);
  return type;
}

}  // namespace

hid_t group_of(hid_t file, const std::string& group) {
  if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) return H5Oopen(file, group.c_str(), H5P_DEFAULT);
  return H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

void put_numbers(hid_t file, const std::string& group, const std::string& name,
                 const std::vector<double>& values, hid_t type, bool one_by_itself) {
  put(file, group, name, type,
      values.size() == 1 && one_by_itself ? H5Screate(H5S_SCALAR) : row(values.size()), H5T_NATIVE_DOUBLE,
      values.data());
}

std::vector<Form> forms_of_number(double value) {
  std::vector<Form> forms;
  const auto add = [&](const std::string& name, hid_t type) {
    const bool alone = forms.size() % 3 != 0;
    forms.push_back({name + (alone ? "" : ", a row of one"), [=](hid_t f, const auto& g, const auto& a) {
                       put_numbers(f, g, a, {value}, type, alone);
                     }});
  };
  add("float64", H5T_IEEE_F64LE), add("float64 big-endian", H5T_IEEE_F64BE),
      add("long double", H5T_NATIVE_LDOUBLE);
  if (double(float(value)) == value)
    add("float32", H5T_IEEE_F32LE), add("float32 big-endian", H5T_IEEE_F32BE);
  if (value * 1024 == std::floor(value * 1024) && value < 2) add("float16", half_type());
  if (value != std::floor(value) || value > 100) return forms;
  for (std::size_t bytes = 1; bytes <= 8; ++bytes) {
    add("int" + std::to_string(8 * bytes), integer(bytes, 8 * bytes, true, H5T_ORDER_LE));
    add("uint" + std::to_string(8 * bytes), integer(bytes, 8 * bytes, false, H5T_ORDER_BE));
  }
  add("int12 in 2 bytes", integer(2, 12, true, H5T_ORDER_LE));
  if (value > 1) return forms;
  forms.push_back({"bool of h5py", [=](hid_t f, const auto& g, const auto& a) {
                     const auto v = std::int8_t(value);
                     put(f, g, a, truth_type(), H5Screate(H5S_SCALAR), truth_type(), &v);
                   }});
  return forms;
}

std::vector<Form> forms_of_word(const std::string& word) {
  std::vector<Form> forms;
  for (const auto& [padding, name] : {std::pair{H5T_STR_NULLTERM, "nullterm"},
                                      {H5T_STR_NULLPAD, "nullpad"},
                                      {H5T_STR_SPACEPAD, "spacepad"}})
    for (const std::size_t more : {0, 1, 30})
      for (const bool alone : {true, false}) {
        if (padding == H5T_STR_NULLTERM && more == 0) continue;
        forms.push_back({std::string(name) + " and " + std::to_string(more) + (alone ? "" : ", a row of one"),
                         [=](hid_t f, const auto& g, const auto& a) {
                           const hid_t type = H5Tcopy(H5T_C_S1);
                           H5Tset_size(type, word.size() + more), H5Tset_strpad(type, padding);
                           const std::string padded =
                               word + std::string(more, padding == H5T_STR_SPACEPAD ? ' ' : '\0');
                           put(f, g, a, type, alone ? H5Screate(H5S_SCALAR) : row(1), type, padded.data());
                         }});
      }
  for (const auto set : {H5T_CSET_ASCII, H5T_CSET_UTF8})
    for (const bool alone : {true, false})
      forms.push_back({std::string("variable length") + (alone ? "" : ", a row of one"),
                       [=](hid_t f, const auto& g, const auto& a) {
                         const hid_t type = H5Tcopy(H5T_C_S1);
                         H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, set);
                         const char* text = word.c_str();
                         put(f, g, a, type, alone ? H5Screate(H5S_SCALAR) : row(1), type, &text);
                       }});
  return forms;
}

std::vector<Form> forms_of_nothing() {
  using Text = const std::string&;
  const auto typed = [](hid_t type) {
    return [=](hid_t f, Text g, Text a) {
      const std::array<char, 64> zeros{};
      put(f, g, a, type, H5Screate(H5S_SCALAR), type, zeros.data());
    };
  };
  const hid_t compound = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(compound, "value", 0, H5T_IEEE_F64LE);
  const hsize_t two = 2;
  return {
      {"empty",
       [](hid_t f, Text g, Text a) { put(f, g, a, H5T_IEEE_F64LE, H5Screate(H5S_NULL), 0, nullptr); }},
      {"a row of none", [](hid_t f, Text g, Text a) { put(f, g, a, H5T_IEEE_F64LE, row(0), 0, nullptr); }},
      {"65 numbers", [](hid_t f, Text g, Text a) { put_numbers(f, g, a, std::vector<double>(65, 1.0)); }},
      {"compound", typed(compound)},
      {"array", typed(H5Tarray_create2(H5T_IEEE_F64LE, 1, &two))},
      {"opaque", typed(H5Tcreate(H5T_OPAQUE, 8))},
      {"bits", typed(H5Tcopy(H5T_STD_B8LE))}};
}

}  // namespace pleiad::golden
