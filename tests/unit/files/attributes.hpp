/// Attributes of HDF5 files in every form that programs give them, and in forms that no reader can use.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <hdf5.h>

namespace pleiad::golden {

/// A dataset or group of the file, the latter made when it is not there; to be closed by H5Oclose.
hid_t group_of(hid_t file, const std::string& group);
/// Replaces an attribute by numbers of this type; `one_by_itself`: one number has no dimension.
void put_numbers(hid_t file, const std::string& group, const std::string& name,
                 const std::vector<double>& values, hid_t type = H5T_IEEE_F64LE, bool one_by_itself = true);

/// How an attribute may be stored.
struct Form {
  std::string name;
  std::function<void(hid_t file, const std::string& group, const std::string& attribute)> put;
};

/// One number in all types that hold it; whole numbers also in those of integers and of truth values.
std::vector<Form> forms_of_number(double value);
/// One text: of fixed length in all paddings, of variable length, in ASCII and UTF-8, alone and in a row.
std::vector<Form> forms_of_word(const std::string& word);
/// What is neither a number nor a text, and what is there and empty.
std::vector<Form> forms_of_nothing();

}  // namespace pleiad::golden
