/// Common parts of the C interface: conversion of exceptions to statuses, and checks of arguments.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/pleiad.h>
#include <pleiad/precision.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/vectors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

struct pleiad_bodies {
  pleiad::Snapshot snapshot;
};

namespace pleiad::c {

/// Keeps the text for pleiad_last_error of this thread, and the code; returns the status.
pleiad_status failed(pleiad_status status, const char* why,
                     pleiad_error_code code = PLEIAD_NO_ERROR) noexcept;

/// Runs `work` and converts its exceptions to a status.
template <class Work>
pleiad_status guarded(const Work& work) noexcept {
  try {
    work();
    return PLEIAD_OK;
  } catch (const Error& e) {
    return failed(pleiad_status(e.kind()), e.what(), pleiad_error_code(e.code()));
  } catch (const std::bad_alloc&) {
    return failed(PLEIAD_RESOURCE, "there is not enough memory", PLEIAD_OUT_OF_MEMORY);
  } catch (const std::exception& e) {
    return failed(PLEIAD_DEFECT, e.what());
  } catch (...) {
    return failed(PLEIAD_DEFECT, "an unknown exception");
  }
}

inline void need(const void* pointer, const char* name) {
  if (pointer == nullptr) throw UsageError(fmt::format("{} must not be NULL", name));
}
/// A text that may be left out.
inline std::string text_or(const char* text, const char* otherwise) {
  return text == nullptr ? otherwise : text;
}

/// None: "auto", or left out.
inline std::optional<Precision> precision_or_auto(const char* text) {
  const auto name = text_or(text, "auto");
  return name == "auto" ? std::nullopt : std::optional(precision_named(name));
}

template <class T>
Vectors<T> triples(T* numbers, std::size_t n) {
  return std::span<T>(numbers, 3 * n);
}
inline void copy_triples(const std::vector<double>& x, const std::vector<double>& y,
                         const std::vector<double>& z, double* to) {
  if (to == nullptr) return;
  const auto out = triples(to, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out.set(i, {x[i], y[i], z[i]});
}

/// The value of this name.
template <class Value, std::size_t n>
Value named(const std::array<std::string_view, n>& names, const char* name, const char* what) {
  const auto text = text_or(name, names.front().data());
  const auto known = std::ranges::find(names, text);
  if (known == names.end())
    throw UsageError(fmt::format("{} must be one of {}, not '{}'", what, fmt::join(names, ", "), text));
  return static_cast<Value>(known - names.begin());
}

/// The caller's options in a struct of this version: fields that an older struct lacks have their defaults.
template <class Options>
Options complete(const Options* options, void (*defaults)(Options*)) {
  need(options, "options");
  Options all;
  defaults(&all);
  if (options->size < sizeof options->size || options->size > sizeof all)
    throw UsageError(fmt::format("options.size = {}: make options by their defaults first", options->size));
  const auto size = all.size;
  std::memcpy(&all, options, options->size);
  all.size = size;
  return all;
}

}  // namespace pleiad::c
