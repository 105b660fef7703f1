/// Errors of the library become exceptions of pleiad.errors with the same sentence.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/parts.hpp"

#include <pleiad/error.hpp>

#include <exception>
#include <new>
#include <string_view>

namespace pleiad::python {
namespace {

/// The library says in these words that a file is not there.
bool is_of_a_missing_file(std::string_view message) {
  return message.ends_with("there is no such file") || message.starts_with("there is no checkpoint in ");
}

const char* class_of(const Error& error) {
  if (is_of_a_missing_file(error.what())) return "MissingFile";
  switch (error.kind()) {
    case Error::Kind::usage:
      return "UsageError";
    case Error::Kind::input:
      return "InputError";
    case Error::Kind::resource:
      return "ResourceError";
    case Error::Kind::numerical:
      return "NumericalError";
  }
  return "Error";
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& e) {
    const auto type = nb::module_::import_("pleiad.errors").attr(class_of(e));
    PyErr_SetString(type.ptr(), e.what());
  } catch (const std::bad_alloc&) {
    const auto type = nb::module_::import_("pleiad.errors").attr("ResourceError");
    PyErr_SetString(type.ptr(), "there is not enough memory");
  }
}

}  // namespace

void add_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace pleiad::python
