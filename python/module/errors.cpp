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

const char* class_of(const Error& error) {
  if (error.code() == Error::Code::missing_file || error.code() == Error::Code::missing_checkpoint)
    return "MissingFile";
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
    auto error = type(e.what());
    error.attr("code") = nb::str(name_of(e.code()).data());
    PyErr_SetObject(type.ptr(), error.ptr());
  } catch (const std::bad_alloc&) {
    const auto type = nb::module_::import_("pleiad.errors").attr("ResourceError");
    auto error = type("there is not enough memory");
    error.attr("code") = "out_of_memory";
    PyErr_SetObject(type.ptr(), error.ptr());
  }
}

}  // namespace

void add_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace pleiad::python
